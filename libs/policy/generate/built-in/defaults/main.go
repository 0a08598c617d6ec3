// Command builtin-defaults tells what a server makes of built-in objects before admission: {"id","object"} a line to {"id","seen","error"}.
// It decodes, defaults, and converts to the kind's internal version and back, as kubernetes does.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
)

// Answer is an object as admission begins with it, or why there is none.
type Answer struct {
	ID    json.RawMessage `json:"id,omitempty"`
	Seen  any             `json:"seen,omitempty"`
	Error string          `json:"error,omitempty"`
}

func main() {
	if err := answerLines(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func answerLines(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<20)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for lines.Scan() {
		var line struct {
			ID     json.RawMessage `json:"id"`
			Object json.RawMessage `json:"object"`
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return err
		}
		answer := Answer{ID: line.ID}
		var err error
		if answer.Seen, err = beforeAdmission(line.Object); err != nil {
			answer = Answer{ID: line.ID, Error: err.Error()}
		}
		if err := encoder.Encode(answer); err != nil {
			return err
		}
	}
	return lines.Err()
}

func beforeAdmission(document []byte) (any, error) {
	object, kind, err := legacyscheme.Codecs.UniversalDeserializer().Decode(document, nil, nil)
	if err != nil {
		return nil, err
	}
	legacyscheme.Scheme.Default(object)
	internal, err := legacyscheme.Scheme.UnsafeConvertToVersion(object, runtime.InternalGroupVersioner)
	if err != nil {
		return nil, err
	}
	back, err := legacyscheme.Scheme.UnsafeConvertToVersion(internal, kind.GroupVersion())
	if err != nil {
		return nil, err
	}
	back.GetObjectKind().SetGroupVersionKind(*kind)
	return runtime.DefaultUnstructuredConverter.ToUnstructured(back)
}
