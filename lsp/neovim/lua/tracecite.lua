-- The client for Neovim from 0.7 on: require('tracecite').setup{}. From 0.11 on lsp/tracecite.lua is the shorter way.

local M = {}

local NAME = 'tracecite'

local defaults = {
  cmd = { 'tracecite-lint', 'server' },
  filetypes = { 'markdown', 'mdx', 'quarto', 'rmd', 'text', 'json', 'jsonl' },
  root_markers = { '.tracecite-lint.toml', 'tracecite-lint.toml', '.git' },
  settings = {},
}

-- The directory that holds one of the markers, at or above the file; else the file's own.
local function root_of(file, markers)
  local directory = vim.fn.fnamemodify(file, ':p:h')
  local best = ''
  for _, marker in ipairs(markers) do
    for _, find in ipairs({ vim.fn.findfile, vim.fn.finddir }) do
      local found = find(marker, vim.fn.escape(directory, ' ,;') .. ';')
      if found ~= '' then
        local above = vim.fn.fnamemodify(found, ':p'):gsub('/+$', '')
        above = vim.fn.fnamemodify(above, ':h')
        if #above > #best then
          best = above
        end
      end
    end
  end
  return best ~= '' and best or directory
end

local function client_config(options, root)
  return {
    name = NAME,
    cmd = options.cmd,
    cmd_env = options.cmd_env,
    root_dir = root,
    workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
    settings = { tracecite = options.settings },
    init_options = options.settings,
    on_attach = function(client, bufnr)
      M.add_commands(bufnr)
      if options.on_attach then
        options.on_attach(client, bufnr)
      end
    end,
  }
end

-- Before 0.8 there is no vim.lsp.start, which keeps one client for each root.
local clients = {}

local function start(config, bufnr)
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = bufnr })
    return
  end
  local id = clients[config.root_dir]
  if not id or vim.lsp.client_is_stopped(id) then
    id = vim.lsp.start_client(config)
    clients[config.root_dir] = id
  end
  if id then
    vim.lsp.buf_attach_client(bufnr, id)
  end
end

--- Start the server for every buffer of the given filetypes.
--- @param options table|nil cmd, cmd_env, filetypes, root_markers, settings, on_attach; see :help tracecite-setup
function M.setup(options)
  options = vim.tbl_extend('force', defaults, options or {})
  local group = vim.api.nvim_create_augroup('tracecite', { clear = true })
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = options.filetypes,
    callback = function(event)
      local file = vim.api.nvim_buf_get_name(event.buf)
      if vim.bo[event.buf].buftype == '' then
        local root = file == '' and vim.fn.getcwd() or root_of(file, options.root_markers)
        start(client_config(options, root), event.buf)
      end
    end,
  })
end

-- The client of the buffer, whichever way this version of Neovim has of asking.
local function client_of(bufnr)
  local all = vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = bufnr })
    or vim.tbl_values(vim.lsp.buf_get_clients(bufnr))
  for _, client in ipairs(all) do
    if client.name == NAME then
      return client
    end
  end
end

local function execute(bufnr, command, arguments, on_result)
  local client = client_of(bufnr)
  if not client then
    vim.notify('tracecite: there is no server for this buffer', vim.log.levels.WARN)
    return
  end
  local params = { command = command, arguments = arguments }
  local function handler(err, result)
    if err then
      vim.notify('tracecite: ' .. err.message, vim.log.levels.ERROR)
    elseif on_result then
      on_result(result ~= vim.NIL and result or nil, client)
    end
  end
  -- A method of the client since 0.11, a function of it before.
  if vim.fn.has('nvim-0.11') == 1 then
    client:request('workspace/executeCommand', params, handler, bufnr)
  else
    client.request('workspace/executeCommand', params, handler, bufnr)
  end
end

-- The 0-based byte of a position in a line.
local function byte_of(line, character, encoding)
  if encoding == 'utf-8' then
    return math.min(character, #line)
  end
  local units = vim.str_utfindex and { vim.str_utfindex(line) } or {}
  local longest = encoding == 'utf-16' and units[2] or units[1]
  return vim.str_byteindex(line, math.min(character, longest or character), encoding == 'utf-16')
end

local marks = vim.api.nvim_create_namespace('tracecite.text')

local function mark(buffer, lines, range, encoding)
  for number = range.start.line, range['end'].line do
    local line = lines[number + 1] or ''
    local first = number == range.start.line and byte_of(line, range.start.character, encoding) or 0
    local last = number == range['end'].line and byte_of(line, range['end'].character, encoding) or #line
    if last > first then
      vim.api.nvim_buf_add_highlight(buffer, marks, 'Search', number, first, last)
    end
  end
end

--- Show the text that the citation under the cursor is compared with, beside the document.
function M.text(bufnr)
  local client = client_of(bufnr)
  local position = vim.lsp.util.make_position_params(0, client and client.offset_encoding).position
  execute(bufnr, 'tracecite.text', { vim.uri_from_bufnr(bufnr), position }, function(found, asked)
    if not found then
      vim.notify('tracecite: no source has been read for what is under the cursor')
      return
    end
    local lines = vim.split(found.text, '\n', { plain = true })
    local buffer = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
    vim.bo[buffer].bufhidden = 'wipe'
    vim.bo[buffer].modifiable = false
    -- The name is for people: two views of one source are two buffers.
    vim.api.nvim_buf_set_name(buffer, ('tracecite://%d/%s'):format(buffer, found.source))
    vim.cmd('vertical sbuffer ' .. buffer)
    vim.wo.wrap = true
    vim.wo.linebreak = true
    if type(found.range) == 'table' then
      mark(buffer, lines, found.range, asked.offset_encoding)
      local start = found.range.start
      local column = byte_of(lines[start.line + 1] or '', start.character, asked.offset_encoding)
      vim.api.nvim_win_set_cursor(0, { start.line + 1, column })
      vim.cmd('normal! zz')
    end
  end)
end

--- Give a buffer the commands :TraceciteCheck and :TraceciteText.
function M.add_commands(bufnr)
  vim.api.nvim_buf_create_user_command(bufnr, 'TraceciteCheck', function(call)
    if call.bang then
      execute(bufnr, 'tracecite.checkWorkspace', {}, function(found)
        if found then
          vim.notify(('tracecite: %d findings in %d documents'):format(found.findings, found.documents))
        end
      end)
    else
      execute(bufnr, 'tracecite.check', { vim.uri_from_bufnr(bufnr) })
    end
  end, { desc = 'Check the citations of this file, with ! of the whole workspace', bang = true })
  vim.api.nvim_buf_create_user_command(bufnr, 'TraceciteText', function()
    M.text(bufnr)
  end, { desc = 'Show the text that the citation under the cursor is compared with' })
end

return M
