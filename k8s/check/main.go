// Decodes rendered manifests into the types of k8s.io/api, unknown and duplicate fields refused:
//
//	for o in local production keda; do kubectl kustomize k8s/overlays/$o | (cd k8s/check && go run .); done
//
// Kinds that are not Kubernetes' own (a ScaledObject) are named and not decoded.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
)

func main() {
	strict := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme.Scheme, scheme.Scheme, json.SerializerOptions{Yaml: true, Strict: true})
	documents := yaml.NewYAMLReader(bufio.NewReader(os.Stdin))
	decoded, foreign, refused := 0, 0, 0
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil && len(bytes.TrimSpace(document)) == 0 {
			continue
		}
		if err == nil {
			var kind fmt.Stringer
			_, kind, err = strict.Decode(document, nil, nil)
			if runtime.IsNotRegisteredError(err) {
				fmt.Println("not decoded:", kind)
				foreign++
				continue
			}
		}
		if err != nil {
			fmt.Println("refused:", err)
			refused++
			continue
		}
		decoded++
	}
	fmt.Printf("%d decoded, %d of foreign kinds, %d refused\n", decoded, foreign, refused)
	if refused > 0 || decoded == 0 {
		os.Exit(1)
	}
}
