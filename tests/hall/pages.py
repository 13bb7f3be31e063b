"""A browser without scripts: it has cookies, sends forms and follows redirections."""

import http.client
from urllib.parse import urlencode, urlsplit


class Browser:
    def __init__(self, url: str, language: str = "en") -> None:
        self.url, self._language = url, language
        self.cookies: dict[str, str] = {}
        self.status = 0
        self._origin = url
        """What a browser sends with a form: nothing of use if the page says `no-referrer`."""

    def get(self, path: str) -> str:
        return self._go("GET", path)

    def post(self, path: str, origin: str | None = None, **form: object) -> str:
        return self._go("POST", path, urlencode(form, doseq=True), origin or self._origin)

    def _go(self, method: str, path: str, body: str | None = None, origin: str = "", host: str = "") -> str:
        place = urlsplit(self.url).netloc
        headers = {"Accept-Language": self._language, "Host": host or place}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if body is not None:
            headers |= {"Origin": origin, "Content-Type": "application/x-www-form-urlencoded"}
        connection = http.client.HTTPConnection(place, timeout=20)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        for line in answer.headers.get_all("Set-Cookie", []):
            name, _, value = line.partition(";")[0].partition("=")
            self.cookies[name] = value
        self._origin = "null" if answer.headers["Referrer-Policy"] == "no-referrer" else self.url
        text, self.status = answer.read().decode(), answer.status
        connection.close()
        return self.get(answer.headers["Location"]) if self.status == 303 else text
