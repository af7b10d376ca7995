;; Opens the report that is named on the command line, waits for its mark, takes the fix, saves, and prints what it saw.
(require 'eglot)
(require 'json)

(defun story-until (holds)
  (let ((end (+ (float-time) 60)))
    (while (and (not (funcall holds)) (< (float-time) end))
      (accept-process-output nil 0.05))))

(defun story-marks ()
  (mapcar (lambda (mark)
            (list (cons 'text (flymake-diagnostic-text mark))
                  (cons 'words (buffer-substring-no-properties
                                (flymake-diagnostic-beg mark) (flymake-diagnostic-end mark)))))
          (flymake-diagnostics)))

(let* ((report (pop command-line-args-left))
       (result (pop command-line-args-left))
       (asked nil))
  (find-file report)
  (eglot-ensure)
  (run-hooks 'post-command-hook)
  (story-until #'eglot-current-server)
  (story-until (lambda () (flymake-start) (flymake-diagnostics)))
  (let ((before (story-marks))
        (hover nil))
    (goto-char (flymake-diagnostic-beg (car (flymake-diagnostics))))
    (forward-char 2)
    (setq hover (plist-get (plist-get (jsonrpc-request (eglot-current-server) :textDocument/hover
                                                       (eglot--TextDocumentPositionParams))
                                      :contents)
                           :value))
    ;; The menu of actions is answered as a person would: by the title.
    (cl-letf (((symbol-function 'completing-read)
               (lambda (_ choices &rest _)
                 (setq asked (mapcar (lambda (choice) (if (consp choice) (car choice) choice)) choices))
                 (seq-find (lambda (title) (string-prefix-p "Quote the source's own words" title)) asked))))
      ;; Eglot opens a menu of the mouse where no key was pressed.
      (setq last-nonmenu-event ?x)
      (call-interactively #'eglot-code-actions))
    (save-buffer)
    (story-until (lambda () (flymake-start) (null (flymake-diagnostics))))
    (with-temp-file result
      (insert (json-encode (list (cons 'before (vconcat before))
                                 (cons 'hover hover)
                                 (cons 'offered (vconcat asked))
                                 (cons 'after (vconcat (story-marks)))))))
    (eglot-shutdown (eglot-current-server))))
