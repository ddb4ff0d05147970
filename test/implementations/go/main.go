// Command proviso implements the Proviso query language, version 1, over JSON lines.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

func respond(request *Value) string {
	method := request.get("method")
	if method == nil {
		return `"unsupported":"a request without a method"`
	}
	switch method.s.Go() {
	case "hello":
		if v := request.get("protocol"); v == nil || v.n != 1 {
			return `"unsupported":"this implementation knows protocol 1"`
		}
		if v := request.get("language"); v != nil && v.s != U("v1") {
			return `"unsupported":"this implementation knows language v1"`
		}
		return `"result":{"protocol":1,"name":"proviso-go","version":"0.1.0"}`
	case "evaluate":
		at, ok := parseInstant(request.get("at").s)
		if !ok {
			return `"unsupported":"an invalid instant of evaluation"`
		}
		return evaluate(request.get("query"), request.get("credentials").array, strs(request.get("scopes")), at,
			request.get("catalogue").array)
	case "canonicalize":
		query := request.get("query")
		if problems := examine(query); problems != nil {
			return problemsError(problems)
		}
		var out strings.Builder
		quote(&out, U(canonicalize(query)))
		return `"result":` + out.String()
	}
	return `"unsupported":"an unknown method"`
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	out := bufio.NewWriter(os.Stdout)
	for {
		line, err := in.ReadString('\n')
		if strings.TrimSpace(line) != "" {
			request, ok := parseJSON(line)
			if ok && request.kind == Object && request.get("id") != nil {
				fmt.Fprintf(out, "{\"id\":%s,%s}\n", formatNumber(request.get("id").n), respond(request))
			} else {
				fmt.Fprintln(os.Stderr, "not a request:", line)
				fmt.Fprintln(out, `{"id":null,"unsupported":"not a JSON object with an id"}`)
			}
			out.Flush()
		}
		if err != nil {
			return
		}
	}
}
