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
      M.add_command(bufnr)
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

--- Give a buffer the command :TraceciteCheck, which checks it now, pages included.
function M.add_command(bufnr)
  vim.api.nvim_buf_create_user_command(bufnr, 'TraceciteCheck', function()
    vim.lsp.buf_request(
      bufnr,
      'workspace/executeCommand',
      { command = 'tracecite.check', arguments = { vim.uri_from_bufnr(bufnr) } },
      function() end
    )
  end, { desc = 'Check the citations of this file' })
end

return M
