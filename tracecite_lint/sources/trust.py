"""Which certificate authorities are trusted."""

from __future__ import annotations

import ssl
from pathlib import Path


def tls_context(cafile: Path | None) -> ssl.SSLContext:
    """Return the trust of the system (or of SSL_CERT_FILE) and of *cafile*; raises ValueError if that cannot be read."""
    context = ssl.create_default_context()
    # Without an offer some servers pick HTTP/2, which aiohttp does not speak.
    context.set_alpn_protocols(["http/1.1"])
    if cafile is not None:
        try:
            context.load_verify_locations(cafile)
        except ssl.SSLError:
            raise ValueError(f"--cafile {cafile}: it holds no certificate in PEM form") from None
        except OSError as error:
            raise ValueError(f"--cafile {cafile}: {str(error.strerror).lower()}") from None
    return context
