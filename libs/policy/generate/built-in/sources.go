package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"

	"sigs.k8s.io/yaml"
)

// Resource is a resource that client-go has a client for, or that an OpenAPI document in it describes.
type Resource struct {
	Group        string   `json:"group"`
	Version      string   `json:"version"`
	Kind         string   `json:"kind"`
	Plural       string   `json:"plural"`
	Namespaced   bool     `json:"namespaced"`
	Subresources []string `json:"subresources"`
}

// clientGo is the folder of client-go's sources: its generated clients and schemas are read, since no program can import them.
func clientGo() (string, error) {
	dir := os.Getenv("CLIENT_GO")
	if dir == "" {
		return "", fmt.Errorf("CLIENT_GO must name the folder of k8s.io/client-go (go list -m -f '{{.Dir}}' k8s.io/client-go)")
	}
	return dir, nil
}

var (
	groupPattern       = regexp.MustCompile(`GroupName = "([^"]*)"`)
	kindPattern        = regexp.MustCompile(`func \(c \*\w+\) (?:Create|Get|Update)\(|gentype\.NewClient\w*\[\*?\w+\.(\w+)[,\]]|result \*\w+\.(\w+),`)
	pluralPattern      = regexp.MustCompile(`(?:Resource\("|gentype\.NewClient\w*\[[^\n]*\n\s*")([a-z]+)"`)
	newPattern         = regexp.MustCompile(`func new(\w+)\(c \*\w+Client(, namespace string)?\)`)
	subresourcePattern = regexp.MustCompile(`SubResource\("(\w+)"\)`)
)

func readResources() ([]Resource, error) {
	root, err := clientGo()
	if err != nil {
		return nil, err
	}
	byName := map[string]*Resource{}
	files, err := filepath.Glob(filepath.Join(root, "kubernetes/typed/*/*/*.go"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		group, err := groupOf(root, file)
		if err != nil {
			return nil, err
		}
		if r := readClient(string(text)); r != nil {
			r.Group, r.Version = group, filepath.Base(filepath.Dir(file))
			byName[r.Group+"/"+r.Version+"/"+r.Plural] = r
		}
	}
	if err := addDocumented(root, byName); err != nil {
		return nil, err
	}
	resources := []Resource{}
	for _, r := range byName {
		sort.Strings(r.Subresources)
		resources = append(resources, *r)
	}
	sort.Slice(resources, func(i, j int) bool {
		a, b := resources[i], resources[j]
		return a.Group+"/"+a.Version+"/"+a.Plural < b.Group+"/"+b.Version+"/"+b.Plural
	})
	return resources, nil
}

// groupOf reads a client package's group from the client that its files share.
func groupOf(root, file string) (string, error) {
	clients, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*_client.go"))
	if err != nil || len(clients) == 0 {
		return "", fmt.Errorf("no client beside %s", file)
	}
	text, err := os.ReadFile(clients[0])
	if err != nil {
		return "", err
	}
	if m := regexp.MustCompile(`used to interact with features provided by the (\S*) group`).FindStringSubmatch(string(text)); m != nil {
		return m[1], nil
	}
	return "", fmt.Errorf("%s names no group", clients[0])
}

// readClient reads one generated client, of either of the two forms that the minors have.
func readClient(text string) *Resource {
	made := newPattern.FindStringSubmatch(text)
	plural := pluralPattern.FindStringSubmatch(text)
	if made == nil || plural == nil {
		return nil
	}
	r := &Resource{Plural: plural[1], Namespaced: made[2] != ""}
	for _, m := range kindPattern.FindAllStringSubmatch(text, -1) {
		if kind := m[1] + m[2]; kind != "" {
			r.Kind = kind
			break
		}
	}
	seen := map[string]bool{}
	if strings.Contains(text, "\tUpdateStatus(ctx") {
		seen["status"] = true
	}
	for _, m := range subresourcePattern.FindAllStringSubmatch(text, -1) {
		seen[m[1]] = true
	}
	for name := range seen {
		r.Subresources = append(r.Subresources, name)
	}
	return r
}

// addDocumented adds the subresources that the OpenAPI documents of client-go tell of.
func addDocumented(root string, byName map[string]*Resource) error {
	documents, err := filepath.Glob(filepath.Join(root, "openapi/openapitest/testdata/*_openapi.json"))
	if err != nil {
		return err
	}
	path := regexp.MustCompile(`^/apis?/((?:[^/]+/)?[^/]+)/(?:namespaces/\{namespace\}/)?([a-z]+)/\{name\}/([a-z]+)$`)
	for _, file := range documents {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var document struct {
			Paths map[string]json.RawMessage `json:"paths"`
		}
		if err := json.Unmarshal(text, &document); err != nil {
			return err
		}
		for name := range document.Paths {
			m := path.FindStringSubmatch(name)
			if m == nil {
				continue
			}
			group, version, hasGroup := strings.Cut(m[1], "/")
			if !hasGroup {
				group, version = "", m[1]
			}
			r := byName[group+"/"+version+"/"+m[2]]
			if r == nil || contains(r.Subresources, m[3]) {
				continue
			}
			r.Subresources = append(r.Subresources, m[3])
		}
	}
	return nil
}

func contains(list []string, item string) bool {
	for _, other := range list {
		if other == item {
			return true
		}
	}
	return false
}

// readMergeSchema reads the schema for structured merges that apply configurations carry.
func readMergeSchema() (json.RawMessage, error) {
	root, err := clientGo()
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(root, "applyconfigurations/internal/internal.go"))
	if err != nil {
		return nil, err
	}
	_, rest, found := strings.Cut(string(text), "typed.YAMLObject(`")
	document, _, closed := strings.Cut(rest, "`)")
	if !found || !closed {
		return nil, fmt.Errorf("no schema in client-go's apply configurations")
	}
	return yaml.YAMLToJSON([]byte(document))
}
