// Command builtin-types tells what the Go types of Kubernetes' built-in kinds are, and what they make of JSON.
//
//	builtin-types table             the types, kinds, resources and merge rules of one minor, as JSON
//	builtin-types decode < in.jsonl what typed decoding makes of objects: {"id","object"} to {"id","seen","error","strict"}
//
// One source serves every minor; build.sh names the modules of each.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fail(fmt.Errorf("usage: builtin-types table | decode"))
	}
	var err error
	switch os.Args[1] {
	case "table":
		err = writeTable(os.Stdout)
	case "decode":
		err = decodeLines(os.Stdin, os.Stdout)
	default:
		err = fmt.Errorf("unknown command %q", os.Args[1])
	}
	if err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
