"""Agent traces: the trace protocol (docs/traces.md) read, validated and compared."""
