"""The part of curl that the documentation uses, so that its commands run on machines without curl, and fail loudly.

Options: -s, -S, -f, -i (status and headers first), -X METHOD, -H 'name: value', -d DATA or -d @FILE or -d @- (as curl
does, a form unless a content type is given), -o FILE. Anything else is an error.
"""

from __future__ import annotations

import argparse
import sys
import urllib.error
import urllib.request
from pathlib import Path


def main() -> None:
    parser = argparse.ArgumentParser(prog="curl", allow_abbrev=False)
    for flag in ("-s", "-S", "-f", "-i"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("-X", dest="method")
    parser.add_argument("-H", dest="headers", action="append", default=[])
    parser.add_argument("-d", dest="data")
    parser.add_argument("-o", dest="output", type=Path)
    parser.add_argument("url")
    given = parser.parse_args()

    body = None if given.data is None else _body(given.data)
    method = given.method or ("GET" if body is None else "POST")
    url = given.url if "://" in given.url else f"http://{given.url}"
    request = urllib.request.Request(url, body, dict(_header(text) for text in given.headers), method=method)
    try:
        answer = urllib.request.urlopen(request, timeout=60)
    except urllib.error.HTTPError as refusal:
        if given.f:
            sys.exit(22)
        answer = refusal
    with answer:
        head = f"HTTP/1.1 {answer.status} {answer.reason}\r\n{answer.headers}" if given.i else ""
        text = head.encode() + answer.read()
    if given.output:
        given.output.write_bytes(text)
    else:
        sys.stdout.buffer.write(text)


def _body(data: str) -> bytes:
    if not data.startswith("@"):
        return data.encode()
    text = sys.stdin.buffer.read() if data == "@-" else Path(data[1:]).read_bytes()
    return text.replace(b"\r", b"").replace(b"\n", b"")


def _header(text: str) -> tuple[str, str]:
    name, _, value = text.partition(":")
    return name, value.strip()


if __name__ == "__main__":
    main()
