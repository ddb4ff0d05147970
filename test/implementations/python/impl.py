"""An implementation of the query language, version 1, as a process that implements the conformance protocol, version 1."""
import sys
import threading

import jsontext
from evaluate import canonicalize, evaluate
from examine import Rejected
from pattern import Unavailable


def respond(request):
    method = request["method"]
    try:
        if method == "hello":
            return {"result": {"protocol": 1, "language": "v1", "name": "proviso-python", "version": "1.0.0"}}
        if method == "evaluate":
            names = ("query", "credentials", "scopes", "at", "catalogue")
            return {"result": evaluate(*(request[name] for name in names))}
        if method == "canonicalize":
            return {"result": canonicalize(request["query"])}
    except Rejected as rejected:
        return {"error": rejected.error}
    except Unavailable as unavailable:
        return {"unsupported": str(unavailable)}
    return {"unsupported": f"method {method}"}


def main():
    for line in sys.stdin.buffer:
        request = jsontext.parse(line.decode("utf-8"))
        response = jsontext.write({"id": request["id"], **respond(request)})
        sys.stdout.buffer.write(response.encode("utf-8") + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    # Values can nest deeply, and most functions here are recursive: a thread with a large stack.
    sys.setrecursionlimit(100_000)
    threading.stack_size(512 << 20)
    thread = threading.Thread(target=main)
    thread.start()
    thread.join()
