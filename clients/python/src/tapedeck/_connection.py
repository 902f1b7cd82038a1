"""Connections with the proxy of the environment, unless ``NO_PROXY`` names the dashboard, and its certificates."""

from __future__ import annotations

import re
from ipaddress import ip_address, ip_network
from typing import TypeVar
from urllib.parse import urlsplit
from urllib.request import getproxies

import httpx

from .errors import TapedeckError

Client = TypeVar("Client", httpx.Client, httpx.AsyncClient)


def open_client(kind: type[Client], url: str) -> Client:
    """An httpx client for one address alone. httpx's own reading of the environment fails at settings for others.

    :raises TapedeckError: when what the environment says cannot be used.
    """
    try:
        # Certificates are read for HTTPS alone.
        verify = httpx.create_ssl_context() if url.lower().startswith("https:") else False
        return kind(proxy=proxy_of(url, getproxies()), verify=verify, trust_env=False)
    except Exception as cause:
        why = (str(cause) or type(cause).__name__).rstrip(".")
        detail = f"A connection to {url} can't be set up: {why}. Check the variables of proxies and certificates."
        raise TapedeckError(0, "unreachable", detail) from cause


def proxy_of(url: str, proxies: dict[str, str]) -> str | None:
    """:param proxies: by scheme, with ``all`` and ``no``, as from ``urllib.request.getproxies``."""
    target = urlsplit(url)
    proxy = proxies.get(target.scheme.lower()) or proxies.get("all")
    host, port = (target.hostname or "").rstrip("."), target.port or (443 if target.scheme.lower() == "https" else 80)
    if not proxy or any(_names(entry, host, port) for entry in _entries(proxies.get("no", ""))):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def _entries(no_proxy: str) -> list[str]:
    return [entry for entry in re.split(r"[\s,]+", no_proxy.lower()) if entry]


def _names(entry: str, host: str, port: int) -> bool:
    """Whether an entry of ``NO_PROXY`` is this host: a name with its subdomains, an address, a network or ``*``."""
    if entry == "*":
        return True
    named, its_port = re.sub(r"^\w+://", "", entry), ""
    bracketed = re.fullmatch(r"\[([^\]]*)\](/\d+)?(?::(\d+))?", named)
    if bracketed is not None:
        named, its_port = bracketed[1] + (bracketed[2] or ""), bracketed[3] or ""
    elif named.count(":") == 1:
        named, _, its_port = named.partition(":")
    if its_port and its_port != str(port):
        return False
    try:
        network = ip_network(named, strict=False)
    except ValueError:
        domain = named.lstrip("*").strip(".")
        return bool(domain) and (host == domain or host.endswith(f".{domain}"))
    try:
        return ip_address(host.partition("%")[0]) in network
    except ValueError:
        return False
