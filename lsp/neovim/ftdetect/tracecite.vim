" Files that some versions of Neovim know no type for; setfiletype leaves alone what has one.
autocmd BufRead,BufNewFile *.jsonl,*.ndjson setfiletype jsonl
autocmd BufRead,BufNewFile *.mdx setfiletype mdx
autocmd BufRead,BufNewFile *.qmd setfiletype quarto
