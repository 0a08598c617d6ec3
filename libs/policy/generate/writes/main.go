// Tells what a kube-apiserver says when a policy or a binding is created: JSON lines {id, object} in, {id, errors, message, warnings} out. It runs the
// registry strategies of kubernetes themselves. Build: go build -o policy-writes . (go.mod has the minor).
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/admissionregistration"
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	map_ "k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingadmissionpolicy"
	mapb "k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingadmissionpolicybinding"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/resolver"
	vap "k8s.io/kubernetes/pkg/registry/admissionregistration/validatingadmissionpolicy"
	vapb "k8s.io/kubernetes/pkg/registry/admissionregistration/validatingadmissionpolicybinding"
)

var resolve = resolver.ResourceResolverFunc(func(gvk schema.GroupVersionKind) (schema.GroupVersionResource, error) {
	return schema.GroupVersionResource{}, nil
})

type answer struct {
	ID       json.RawMessage `json:"id,omitempty"`
	Errors   []string        `json:"errors"`
	Message  string          `json:"message,omitempty"`
	Status   *metav1.Status  `json:"status,omitempty"`
	Warnings []string        `json:"warnings,omitempty"`
	Decode   string          `json:"decode,omitempty"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for lines.Scan() {
		var line struct {
			ID     json.RawMessage `json:"id"`
			Object json.RawMessage `json:"object"`
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		a := judge(line.Object)
		a.ID = line.ID
		out.Encode(a)
	}
}

func judge(body []byte) (a answer) {
	obj, gvk, err := legacyscheme.Codecs.UniversalDecoder(admissionregistration.SchemeGroupVersion).Decode(body, nil, nil)
	if err != nil {
		return answer{Decode: err.Error()}
	}
	var strategy rest.RESTCreateStrategy
	resource := ""
	switch obj.(type) {
	case *admissionregistration.ValidatingAdmissionPolicy:
		strategy, resource = vap.NewStrategy(nil, nil), "validatingadmissionpolicies"
	case *admissionregistration.ValidatingAdmissionPolicyBinding:
		strategy, resource = vapb.NewStrategy(nil, nil, resolve), "validatingadmissionpolicybindings"
	case *admissionregistration.MutatingAdmissionPolicy:
		strategy, resource = map_.NewStrategy(nil, nil), "mutatingadmissionpolicies"
	case *admissionregistration.MutatingAdmissionPolicyBinding:
		strategy, resource = mapb.NewStrategy(nil, nil, resolve), "mutatingadmissionpolicybindings"
	default:
		return answer{Decode: fmt.Sprintf("%T", obj)}
	}
	ctx := genericrequest.WithRequestInfo(genericrequest.WithNamespace(genericrequest.NewContext(), ""), &genericrequest.RequestInfo{
		APIGroup: "admissionregistration.k8s.io", APIVersion: gvk.Version, Resource: resource, IsResourceRequest: true, Verb: "create",
	})
	acc, _ := meta.Accessor(obj)
	rest.FillObjectMetaSystemFields(acc)
	err = rest.BeforeCreate(strategy, ctx, obj)
	a.Errors = []string{}
	if err != nil {
		if s, ok := err.(apierrors.APIStatus); ok {
			st := s.Status()
			a.Message = st.Message
			if st.Details != nil {
				for _, c := range st.Details.Causes {
					a.Errors = append(a.Errors, c.Field+": "+c.Message)
				}
			}
			a.Status = &st
		} else {
			a.Message = err.Error()
		}
	}
	a.Warnings = strategy.WarningsOnCreate(ctx, obj)
	_ = runtime.Object(obj)
	return a
}
