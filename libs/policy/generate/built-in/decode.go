package main

import (
	"bufio"
	"encoding/json"
	"io"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"
)

// Decoded is what became of an object: as its struct shows it, or why it could not be read; and what strict decoding has against it.
type Decoded struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Seen   any             `json:"seen,omitempty"`
	Error  string          `json:"error,omitempty"`
	Strict string          `json:"strict,omitempty"`
}

func decodeLines(in io.Reader, out io.Writer) error {
	strict := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict).UniversalDeserializer()
	lenient := scheme.Codecs.UniversalDeserializer()
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
		answer := Decoded{ID: line.ID}
		object, _, err := lenient.Decode(line.Object, nil, nil)
		if err == nil {
			answer.Seen, err = runtime.DefaultUnstructuredConverter.ToUnstructured(object)
		}
		if err != nil {
			answer.Error = err.Error()
		} else if _, _, err := strict.Decode(line.Object, nil, nil); err != nil {
			answer.Strict = err.Error()
		}
		if err := encoder.Encode(answer); err != nil {
			return err
		}
	}
	return lines.Err()
}
