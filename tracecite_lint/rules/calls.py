"""Rules of the call audit (docs/call-audit.md); their codes are written as its protocol writes them."""

from __future__ import annotations

from tracecite_lint.rules.rule import Rule

RULES = (
    Rule(
        code="invalid_manifest",
        group="calls",
        summary="The manifest of the audit is defective",
        explanation=(
            "The manifest is not the object `{run_id, model, task_ids, required_stages}` with unique, non-empty "
            "strings. The log is still accounted, but coverage is not judged. Reported on line 0."
        ),
        why="Without a manifest nobody knows which tasks and stages the run had to cover.",
        example='{"run_id":"r1","model":"m","task_ids":[],"required_stages":["draft"]}',
        fix="Correct the manifest as the message says.",
    ),
    Rule(
        code="invalid_json",
        group="calls",
        summary="A line of the call log is not JSON",
        explanation="The line cannot be parsed, names a key twice at any depth, is nested too deep, or goes on after its value.",
        why="A line that is skipped is a call that is not paid for in the totals.",
        example='{"run_id":"r1","run_id":"r2"}',
        fix="Write one JSON object per line, each key once.",
    ),
    Rule(
        code="invalid_record",
        group="calls",
        summary="A line of the call log is no record of a call",
        explanation=(
            "The line is not an object, a field is missing or empty, `status` is neither `ok` nor `error`, or a token "
            "count is no plain non-negative integer up to 9007199254740991 (no string, fraction or exponent)."
        ),
        why="A count that is read loosely is a count that can be wrong.",
        example='{"run_id":"r1","task_id":"t1","stage":"draft","call_id":"c1","model":"m","status":"ok","input_tokens":"100"}',
        fix="Correct the field that the message names; leave a count out (or null) where it is not known.",
    ),
    Rule(
        code="invalid_provider_record",
        group="calls",
        summary="A provider's response in the call log breaks that provider's rules",
        explanation=(
            "The response is not what the provider sends (for Ollama: a success has `done: true` and the envelope's "
            "model), a field of the envelope is wrong, or its `status` contradicts the response."
        ),
        why="Usage taken from a response that is not whole would be too low.",
        example='{"run_id":"r1","task_id":"t1","stage":"draft","call_id":"c1","model":"m","response":{"model":"m","done":false}}',
        fix="Record the final object of the response, unchanged, and choose the right `--provider`.",
    ),
    Rule(
        code="conflicting_call",
        group="calls",
        summary="A call_id is used with different contents",
        explanation="Lines with this `call_id` differ in a field. All of them are left out of the totals.",
        why="Which of them is the call is not known, and adding all would count it twice.",
        example="c1 with 100 input tokens, and c1 with 120",
        fix="Give every attempt its own id, a retry too.",
    ),
    Rule(
        code="duplicate_call",
        group="calls",
        summary="A call is recorded twice",
        explanation="All eight fields equal those of an earlier line, which the message names. The first is kept.",
        why="Usage would be counted twice; often a log was joined with itself.",
        example="the same line two times",
        fix="Delete the later line, and look why it was written.",
    ),
    Rule(
        code="unexpected_run",
        group="calls",
        summary="A call belongs to another run than the manifest",
        explanation="Its `run_id` is not the manifest's. The call is in the totals but covers nothing.",
        why="Usage of another run is mixed into this one.",
        example='"run_id":"r2" where the manifest has "r1"',
        fix="Audit each run by itself, or correct the manifest.",
    ),
    Rule(
        code="unexpected_model",
        group="calls",
        summary="A call went to another model than the manifest's",
        explanation="Its `model` is not the manifest's. The call is in the totals but covers nothing.",
        why="Tokens of different models do not cost the same and cannot be compared.",
        example='"model":"small" where the manifest has "large"',
        fix="Look why another model answered (a fallback?), or correct the manifest.",
    ),
    Rule(
        code="unexpected_task",
        group="calls",
        summary="A call belongs to a task that the manifest does not list",
        explanation="Its `task_id` is not among the manifest's `task_ids`. The call is in the totals but covers nothing.",
        why="Work was paid for that nobody expected.",
        example='"task_id":"t9" where the manifest has t1 to t3',
        fix="Correct the id, or add the task to the manifest.",
    ),
    Rule(
        code="unexpected_stage",
        group="calls",
        summary="A call belongs to a stage that the manifest does not list",
        explanation="Its `stage` is not among the manifest's `required_stages`. The call is in the totals but covers nothing.",
        why="Work was paid for that nobody expected.",
        example='"stage":"retry" where the manifest has draft and review',
        fix="Correct the stage, or add it to the manifest.",
    ),
    Rule(
        code="aggregate_overflow",
        group="calls",
        summary="The token totals would pass 2^63 − 1",
        explanation="Neither side of this call is added; later calls are.",
        why="A sum that wraps round is worse than none.",
        example="a thousand calls of 9007199254740991 tokens each, and one more",
        fix="Such counts are almost always wrong: look where they come from.",
    ),
    Rule(
        code="missing_usage",
        group="calls",
        summary="The usage of a call is not known",
        explanation="`input_tokens` or `output_tokens` is absent or null, for a successful or a failed call.",
        why="The totals are too low then, and no saving may be claimed from them.",
        example='{"run_id":"r1","task_id":"t1","stage":"draft","call_id":"c1","model":"m","status":"ok","input_tokens":100}',
        fix="Record the usage that the provider reports; never write 0 for what is not known.",
    ),
    Rule(
        code="empty_log",
        group="calls",
        summary="The call log is empty",
        explanation="The file holds no line but blank ones. Reported on line 0.",
        why="A run without calls has nothing to audit; most often the log was not written.",
        example="(an empty file)",
        fix="Name the right file, or look why nothing was recorded.",
    ),
    Rule(
        code="missing_stage",
        group="calls",
        summary="A task lacks a successful call for a stage",
        explanation=(
            "The log has no call with status `ok`, of the manifest's run and model, for this task and stage. A retry "
            "that succeeded covers. Reported on line 0, once for each pair."
        ),
        why="The run is incomplete, and its totals are those of less work than expected.",
        example="t2 has a draft and no review",
        fix="Run the stage again, or look whether its call was not recorded.",
    ),
)
