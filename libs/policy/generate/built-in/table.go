package main

import (
	"encoding/json"
	"io"
	"reflect"
	"sort"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
)

// Table is everything about the built-in kinds of one minor.
type Table struct {
	Types     TypeTable       `json:"types"`
	Kinds     []Kind          `json:"kinds"`
	Resources []Resource      `json:"resources"`
	Merge     json.RawMessage `json:"merge"`
}

// Kind is a kind that has a Go type.
type Kind struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
	Type    string `json:"type"`
}

func writeTable(out io.Writer) error {
	table := Table{Types: TypeTable{}}
	// What expressions see as `request` is no kind of the scheme.
	table.Types.add(reflect.TypeFor[admissionv1.AdmissionRequest]())
	for gvk, t := range scheme.Scheme.AllKnownTypes() {
		if gvk.Version == runtime.APIVersionInternal || strings.HasPrefix(t.PkgPath(), "k8s.io/apimachinery/pkg/apis/meta") && gvk.Group != "meta.k8s.io" && gvk.Version != "v1" {
			continue
		}
		table.Kinds = append(table.Kinds, Kind{gvk.Group, gvk.Version, gvk.Kind, table.Types.add(t)})
	}
	sort.Slice(table.Kinds, func(i, j int) bool {
		a, b := table.Kinds[i], table.Kinds[j]
		return a.Group+"/"+a.Version+"/"+a.Kind < b.Group+"/"+b.Version+"/"+b.Kind
	})
	var err error
	if table.Resources, err = readResources(); err != nil {
		return err
	}
	if table.Merge, err = readMergeSchema(); err != nil {
		return err
	}
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", " ")
	return encoder.Encode(table)
}
