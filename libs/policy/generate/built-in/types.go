package main

import (
	"encoding/json"
	"reflect"
	"strings"
)

// TypeTable maps the names of types, core/v1.PodSpec, to what they are.
type TypeTable map[string]*TypeEntry

// TypeEntry is a struct, a type with a JSON decoder of its own, or another name for an unnamed type.
type TypeEntry struct {
	Fields  []Field `json:"fields,omitempty"`
	Struct  bool    `json:"struct,omitempty"`
	Decoder bool    `json:"decoder,omitempty"`
	Is      string  `json:"is,omitempty"`
	Schema  string  `json:"schema,omitempty"` // name in OpenAPI and merge schemas
}

// Field is a field of a struct, in the order of the source. An inlined field has its Go name and no JSON name.
type Field struct {
	Name      string `json:"name"`
	Type      string `json:"type"`
	Inline    bool   `json:"inline,omitempty"`
	OmitEmpty bool   `json:"omitempty,omitempty"`
	OmitZero  bool   `json:"omitzero,omitempty"`
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// short shortens a package's path to what tells it from others: k8s.io/api/core/v1 to core/v1.
func short(pkg string) string {
	for _, prefix := range []string{"k8s.io/api/", "k8s.io/apimachinery/pkg/apis/", "k8s.io/apimachinery/pkg/util/",
		"k8s.io/apimachinery/pkg/api/", "k8s.io/apimachinery/pkg/"} {
		if rest, ok := strings.CutPrefix(pkg, prefix); ok {
			return rest
		}
	}
	return pkg
}

// schemaName is a type's name in OpenAPI: io.k8s.api.core.v1.PodSpec.
func schemaName(t reflect.Type) string {
	path := strings.Split(t.PkgPath(), "/")
	host := strings.Split(path[0], ".")
	for i, j := 0, len(host)-1; i < j; i, j = i+1, j-1 {
		host[i], host[j] = host[j], host[i]
	}
	return strings.Join(append(append(host, path[1:]...), t.Name()), ".")
}

// add enters a type and all that it is made of; it returns how the table names it.
func (table TypeTable) add(t reflect.Type) string {
	if t.PkgPath() == "" {
		return table.unnamed(t)
	}
	name := short(t.PkgPath()) + "." + t.Name()
	if _, known := table[name]; known {
		return name
	}
	entry := &TypeEntry{Schema: schemaName(t)}
	table[name] = entry
	switch {
	case reflect.PointerTo(t).Implements(unmarshaler):
		entry.Decoder = true
	case t.Kind() == reflect.Struct:
		entry.Struct = true
		entry.Fields = table.fields(t)
	default:
		entry.Is = table.unnamed(t)
	}
	return name
}

func (table TypeTable) unnamed(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + table.add(t.Elem())
	case reflect.Slice:
		return "[]" + table.add(t.Elem())
	case reflect.Map:
		return "map[" + table.add(t.Key()) + "]" + table.add(t.Elem())
	case reflect.Interface:
		return "any"
	default:
		return t.Kind().String()
	}
}

func (table TypeTable) fields(t reflect.Type) []Field {
	fields := []Field{}
	for i := range t.NumField() {
		f := t.Field(i)
		tag, tagged := f.Tag.Lookup("json")
		name, options, _ := strings.Cut(tag, ",")
		if name == "-" || !f.IsExported() {
			continue
		}
		field := Field{Name: name}
		for _, option := range strings.Split(options, ",") {
			field.OmitEmpty = field.OmitEmpty || option == "omitempty"
			field.OmitZero = field.OmitZero || option == "omitzero"
		}
		switch {
		case name == "" && f.Anonymous:
			field.Name, field.Inline = f.Name, true
		case name == "" || !tagged:
			field.Name = f.Name
		}
		field.Type = table.add(f.Type)
		fields = append(fields, field)
	}
	return fields
}
