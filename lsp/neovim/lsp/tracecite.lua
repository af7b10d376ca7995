-- Neovim 0.11 and newer: with this folder on 'runtimepath', vim.lsp.enable('tracecite') starts the server.
-- Settings go into vim.lsp.config('tracecite', { settings = { tracecite = { … } } }); see :help tracecite.

return {
  cmd = { 'tracecite-lint', 'server' },
  filetypes = { 'markdown', 'mdx', 'quarto', 'rmd', 'text', 'json', 'jsonl' },
  root_markers = { '.tracecite-lint.toml', 'tracecite-lint.toml', '.git' },
  settings = { tracecite = {} },
  before_init = function(params, config)
    -- So that the settings hold from the first document on.
    params.initializationOptions = (config.settings or {}).tracecite
  end,
  on_attach = function(_, bufnr)
    require('tracecite').add_commands(bufnr)
  end,
}
