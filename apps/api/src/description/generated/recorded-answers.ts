// Recorded by apps/api/test/recorded-answers.spec.ts, which says how.
import type { RecordedAnswers } from '../recorded-answer.ts';

/** What the examples of requests were answered with, by path, media type and name. */
export const RECORDED_ANSWERS: RecordedAnswers = {
  "PUT /definitions/{digest} application/json a definition": {
    "type": "application/json",
    "body": {
      "digest": "sha256:6c3370b41d33ebe8cdcc897816836ffae045115b8c5571ca4f02ec9a46c0efcb",
      "bytes": 584,
      "keptSeconds": 3600
    }
  },
  "PUT /definitions/{digest} application/json a definition that is refused": {
    "type": "application/json",
    "body": {
      "digest": "sha256:48738c749b72b5ff95454a8a647578eddeaeaac901a8520b802314448a948baf",
      "bytes": 585,
      "keptSeconds": 3600
    }
  },
  "PUT /definitions/{digest} application/yaml a definition": {
    "type": "application/json",
    "body": {
      "digest": "sha256:815ae25233b3d1a91df969593d5955ee4f2b9b99b1bea8ee878fe6e128346cbb",
      "bytes": 589,
      "keptSeconds": 3600
    }
  },
  "POST /evaluate application/json an object and an update": {
    "type": "application/json",
    "body": {
      "id": "0b5e2a4e-6f3c-4d0a-9a59-1b6f1f7d2c11",
      "definitions": [
        {
          "name": "widgets.example.com",
          "group": "example.com",
          "kind": "Widget",
          "versions": [
            "v1"
          ],
          "digest": "880a1632ece61a6d2810837e7368a96e39e25506db0e42227b182e5a02dc3734",
          "accepted": true,
          "warnings": [],
          "names": {
            "plural": "widgets",
            "singular": "widget",
            "shortNames": [],
            "kind": "Widget",
            "listKind": "WidgetList"
          },
          "conditions": [
            {
              "type": "NamesAccepted",
              "status": "True",
              "reason": "NoConflicts",
              "message": "no conflicts found"
            },
            {
              "type": "Established",
              "status": "True",
              "reason": "InitialNamesAccepted",
              "message": "the initial names have been accepted"
            }
          ]
        }
      ],
      "items": [
        {
          "index": 0,
          "apiVersion": "example.com/v1",
          "kind": "Widget",
          "name": "small",
          "namespace": "default",
          "definition": "widgets.example.com",
          "outcome": "accepted",
          "warnings": [],
          "cost": {
            "cel": 5
          }
        },
        {
          "index": 1,
          "apiVersion": "example.com/v1",
          "kind": "Widget",
          "name": "large",
          "definition": "widgets.example.com",
          "outcome": "rejected",
          "status": {
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": "the name of the object (large) does not match the name on the URL (small)",
            "reason": "BadRequest",
            "code": 400
          },
          "warnings": []
        }
      ],
      "summary": {
        "items": 1,
        "accepted": 1,
        "rejected": 1,
        "notEvaluated": 0,
        "cancelled": 0,
        "warnings": 0,
        "takenOff": 0,
        "celCost": 5,
        "phases": {
          "parse": 1,
          "schema": 1,
          "cel": 1,
          "total": 1
        },
        "elapsedMs": 1
      }
    }
  },
  "POST /evaluate application/json an object of a definition that is kept": {
    "type": "application/json",
    "body": {
      "id": "0b5e2a4e-6f3c-4d0a-9a59-1b6f1f7d2c11",
      "definitions": [
        {
          "name": "widgets.example.com",
          "group": "example.com",
          "kind": "Widget",
          "versions": [
            "v1"
          ],
          "digest": "880a1632ece61a6d2810837e7368a96e39e25506db0e42227b182e5a02dc3734",
          "accepted": true,
          "warnings": [],
          "names": {
            "plural": "widgets",
            "singular": "widget",
            "shortNames": [],
            "kind": "Widget",
            "listKind": "WidgetList"
          },
          "conditions": [
            {
              "type": "NamesAccepted",
              "status": "True",
              "reason": "NoConflicts",
              "message": "no conflicts found"
            },
            {
              "type": "Established",
              "status": "True",
              "reason": "InitialNamesAccepted",
              "message": "the initial names have been accepted"
            }
          ]
        }
      ],
      "items": [
        {
          "index": 0,
          "apiVersion": "example.com/v1",
          "kind": "Widget",
          "name": "small",
          "namespace": "default",
          "definition": "widgets.example.com",
          "outcome": "accepted",
          "warnings": [],
          "cost": {
            "cel": 5
          }
        }
      ],
      "summary": {
        "items": 1,
        "accepted": 1,
        "rejected": 0,
        "notEvaluated": 0,
        "cancelled": 0,
        "warnings": 0,
        "takenOff": 0,
        "celCost": 5,
        "phases": {
          "parse": 1,
          "schema": 1,
          "cel": 1,
          "total": 1
        },
        "elapsedMs": 1
      }
    }
  },
  "POST /evaluate application/yaml two objects": {
    "type": "application/json",
    "body": {
      "id": "0b5e2a4e-6f3c-4d0a-9a59-1b6f1f7d2c11",
      "definitions": [
        {
          "name": "widgets.example.com",
          "group": "example.com",
          "kind": "Widget",
          "versions": [
            "v1"
          ],
          "digest": "75d4c1a67811ef2531cf8e1d9ef2b12168f3f86a19248357350f298cd5ab0ab7",
          "accepted": true,
          "warnings": [],
          "names": {
            "plural": "widgets",
            "singular": "widget",
            "shortNames": [],
            "kind": "Widget",
            "listKind": "WidgetList"
          },
          "conditions": [
            {
              "type": "NamesAccepted",
              "status": "True",
              "reason": "NoConflicts",
              "message": "no conflicts found"
            },
            {
              "type": "Established",
              "status": "True",
              "reason": "InitialNamesAccepted",
              "message": "the initial names have been accepted"
            }
          ]
        }
      ],
      "items": [
        {
          "index": 0,
          "apiVersion": "example.com/v1",
          "kind": "Widget",
          "name": "small",
          "namespace": "default",
          "definition": "widgets.example.com",
          "outcome": "accepted",
          "warnings": [],
          "cost": {
            "cel": 5
          }
        },
        {
          "index": 1,
          "apiVersion": "example.com/v1",
          "kind": "Widget",
          "name": "large",
          "definition": "widgets.example.com",
          "outcome": "rejected",
          "status": {
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": "Widget.example.com \"large\" is invalid: spec: Invalid value: no more replicas than the limit",
            "reason": "Invalid",
            "details": {
              "name": "large",
              "group": "example.com",
              "kind": "Widget",
              "causes": [
                {
                  "reason": "FieldValueInvalid",
                  "message": "Invalid value: no more replicas than the limit",
                  "field": "spec"
                }
              ]
            },
            "code": 422
          },
          "warnings": [],
          "cost": {
            "cel": 5
          }
        }
      ],
      "summary": {
        "items": 1,
        "accepted": 1,
        "rejected": 1,
        "notEvaluated": 0,
        "cancelled": 0,
        "warnings": 0,
        "takenOff": 0,
        "celCost": 10,
        "phases": {
          "parse": 1,
          "schema": 1,
          "cel": 1,
          "total": 1
        },
        "elapsedMs": 1
      }
    }
  },
  "POST /evaluate application/yaml the routes of the README": {
    "type": "application/json",
    "body": {
      "id": "0b5e2a4e-6f3c-4d0a-9a59-1b6f1f7d2c11",
      "definitions": [
        {
          "name": "httproutes.gateway.networking.k8s.io",
          "group": "gateway.networking.k8s.io",
          "kind": "HTTPRoute",
          "versions": [
            "v1",
            "v1beta1"
          ],
          "digest": "9b2307f39c2f4957f15a304b95afb76d3576658de21af65279d1a22db6fcc050",
          "accepted": true,
          "warnings": [],
          "names": {
            "plural": "httproutes",
            "singular": "httproute",
            "shortNames": [],
            "kind": "HTTPRoute",
            "listKind": "HTTPRouteList"
          },
          "conditions": [
            {
              "type": "NamesAccepted",
              "status": "True",
              "reason": "NoConflicts",
              "message": "no conflicts found"
            },
            {
              "type": "Established",
              "status": "True",
              "reason": "InitialNamesAccepted",
              "message": "the initial names have been accepted"
            },
            {
              "type": "KubernetesAPIApprovalPolicyConformant",
              "status": "True",
              "reason": "ApprovedAnnotation",
              "message": "approved in https://github.com/kubernetes-sigs/gateway-api/pull/4530"
            }
          ]
        }
      ],
      "items": [
        {
          "index": 0,
          "apiVersion": "gateway.networking.k8s.io/v1",
          "kind": "HTTPRoute",
          "name": "shop",
          "namespace": "default",
          "definition": "httproutes.gateway.networking.k8s.io",
          "outcome": "accepted",
          "warnings": [],
          "cost": {
            "cel": 241
          }
        },
        {
          "index": 1,
          "apiVersion": "gateway.networking.k8s.io/v1",
          "kind": "HTTPRoute",
          "name": "shop-broken",
          "namespace": "default",
          "definition": "httproutes.gateway.networking.k8s.io",
          "outcome": "rejected",
          "status": {
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": "HTTPRoute.gateway.networking.k8s.io \"shop-broken\" is invalid: [spec.rules[0]: Invalid value: RequestRedirect filter must not be used together with backendRefs, spec.rules[0].matches[0].path: Invalid value: value must be an absolute path and start with '/' when type one of ['Exact', 'PathPrefix']]",
            "reason": "Invalid",
            "details": {
              "name": "shop-broken",
              "group": "gateway.networking.k8s.io",
              "kind": "HTTPRoute",
              "causes": [
                {
                  "reason": "FieldValueInvalid",
                  "message": "Invalid value: RequestRedirect filter must not be used together with backendRefs",
                  "field": "spec.rules[0]"
                },
                {
                  "reason": "FieldValueInvalid",
                  "message": "Invalid value: value must be an absolute path and start with '/' when type one of ['Exact', 'PathPrefix']",
                  "field": "spec.rules[0].matches[0].path"
                }
              ]
            },
            "code": 422
          },
          "warnings": [],
          "cost": {
            "cel": 322
          }
        }
      ],
      "summary": {
        "items": 1,
        "accepted": 1,
        "rejected": 1,
        "notEvaluated": 0,
        "cancelled": 0,
        "warnings": 0,
        "takenOff": 0,
        "celCost": 563,
        "phases": {
          "parse": 1,
          "schema": 1,
          "cel": 1,
          "total": 1
        },
        "elapsedMs": 1
      }
    }
  },
  "POST /evaluate application/x-ndjson two objects": {
    "type": "application/x-ndjson",
    "body": "{\"index\":0,\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"name\":\"small\",\"namespace\":\"default\",\"definition\":\"widgets.example.com\",\"outcome\":\"accepted\",\"warnings\":[],\"cost\":{\"cel\":5}}\n{\"index\":1,\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"name\":\"large\",\"definition\":\"widgets.example.com\",\"outcome\":\"rejected\",\"status\":{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\"Widget.example.com \\\"large\\\" is invalid: spec: Invalid value: no more replicas than the limit\",\"reason\":\"Invalid\",\"details\":{\"name\":\"large\",\"group\":\"example.com\",\"kind\":\"Widget\",\"causes\":[{\"reason\":\"FieldValueInvalid\",\"message\":\"Invalid value: no more replicas than the limit\",\"field\":\"spec\"}]},\"code\":422},\"warnings\":[],\"cost\":{\"cel\":5}}\n{\"summary\":{\"items\":1,\"accepted\":1,\"rejected\":1,\"notEvaluated\":0,\"cancelled\":0,\"warnings\":0,\"takenOff\":0,\"celCost\":10,\"phases\":{\"parse\":1,\"schema\":1,\"cel\":1,\"total\":1},\"elapsedMs\":1}}\n"
  },
  "POST /definitions application/json a definition": {
    "type": "application/json",
    "body": {
      "report": {
        "name": "widgets.example.com",
        "group": "example.com",
        "kind": "Widget",
        "versions": [
          "v1"
        ],
        "digest": "880a1632ece61a6d2810837e7368a96e39e25506db0e42227b182e5a02dc3734",
        "accepted": true,
        "warnings": [],
        "names": {
          "plural": "widgets",
          "singular": "widget",
          "shortNames": [],
          "kind": "Widget",
          "listKind": "WidgetList"
        },
        "conditions": [
          {
            "type": "NamesAccepted",
            "status": "True",
            "reason": "NoConflicts",
            "message": "no conflicts found"
          },
          {
            "type": "Established",
            "status": "True",
            "reason": "InitialNamesAccepted",
            "message": "the initial names have been accepted"
          }
        ]
      },
      "rules": [
        {
          "version": "v1",
          "path": "properties[spec].x-kubernetes-validations[0]",
          "rule": "self.replicas <= self.limit",
          "maxCost": "5",
          "cardinality": "1",
          "totalCost": "5",
          "usesOldSelf": false
        }
      ],
      "schemaCost": {
        "v1": "5"
      }
    }
  },
  "POST /definitions application/json a definition that is refused": {
    "type": "application/json",
    "body": {
      "report": {
        "name": "widgets.example.com",
        "group": "example.com",
        "kind": "Widget",
        "versions": [
          "v1"
        ],
        "digest": "937ced9bf725925cdb02fadb6f4de33115309b076120a3b018fcdbb8fbb5a57f",
        "accepted": false,
        "status": {
          "kind": "Status",
          "apiVersion": "v1",
          "metadata": {},
          "status": "Failure",
          "message": "CustomResourceDefinition.apiextensions.k8s.io \"widgets.example.com\" is invalid: spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule: Invalid value: {\"Rule\":\"self.replicas \\u003c= self.limits\",\"Message\":\"no more replicas than the limit\",\"MessageExpression\":\"\",\"Reason\":null,\"FieldPath\":\"\",\"OptionalOldSelf\":null}: compilation failed: ERROR: <input>:1:22: undefined field 'limits'\n | self.replicas <= self.limits\n | .....................^",
          "reason": "Invalid",
          "details": {
            "name": "widgets.example.com",
            "group": "apiextensions.k8s.io",
            "kind": "CustomResourceDefinition",
            "causes": [
              {
                "reason": "FieldValueInvalid",
                "message": "Invalid value: {\"Rule\":\"self.replicas \\u003c= self.limits\",\"Message\":\"no more replicas than the limit\",\"MessageExpression\":\"\",\"Reason\":null,\"FieldPath\":\"\",\"OptionalOldSelf\":null}: compilation failed: ERROR: <input>:1:22: undefined field 'limits'\n | self.replicas <= self.limits\n | .....................^",
                "field": "spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule"
              }
            ]
          },
          "code": 422
        },
        "warnings": [],
        "conditions": []
      },
      "rules": [
        {
          "version": "v1",
          "path": "properties[spec].x-kubernetes-validations[0]",
          "rule": "self.replicas <= self.limits",
          "maxCost": "0",
          "cardinality": "1",
          "totalCost": "0",
          "usesOldSelf": false,
          "error": "compilation failed: ERROR: <input>:1:22: undefined field 'limits'\n | self.replicas <= self.limits\n | .....................^"
        }
      ],
      "schemaCost": {
        "v1": "0"
      }
    }
  },
  "POST /definitions application/yaml a definition": {
    "type": "application/json",
    "body": {
      "report": {
        "name": "widgets.example.com",
        "group": "example.com",
        "kind": "Widget",
        "versions": [
          "v1"
        ],
        "digest": "75d4c1a67811ef2531cf8e1d9ef2b12168f3f86a19248357350f298cd5ab0ab7",
        "accepted": true,
        "warnings": [],
        "names": {
          "plural": "widgets",
          "singular": "widget",
          "shortNames": [],
          "kind": "Widget",
          "listKind": "WidgetList"
        },
        "conditions": [
          {
            "type": "NamesAccepted",
            "status": "True",
            "reason": "NoConflicts",
            "message": "no conflicts found"
          },
          {
            "type": "Established",
            "status": "True",
            "reason": "InitialNamesAccepted",
            "message": "the initial names have been accepted"
          }
        ]
      },
      "rules": [
        {
          "version": "v1",
          "path": "properties[spec].x-kubernetes-validations[0]",
          "rule": "self.replicas <= self.limit",
          "maxCost": "5",
          "cardinality": "1",
          "totalCost": "5",
          "usesOldSelf": false
        }
      ],
      "schemaCost": {
        "v1": "5"
      }
    }
  },
  "POST /explain application/json an object and an update": {
    "type": "application/json",
    "body": {
      "definitions": [
        {
          "report": {
            "name": "widgets.example.com",
            "group": "example.com",
            "kind": "Widget",
            "versions": [
              "v1"
            ],
            "digest": "880a1632ece61a6d2810837e7368a96e39e25506db0e42227b182e5a02dc3734",
            "accepted": true,
            "warnings": [],
            "names": {
              "plural": "widgets",
              "singular": "widget",
              "shortNames": [],
              "kind": "Widget",
              "listKind": "WidgetList"
            },
            "conditions": [
              {
                "type": "Established",
                "status": "True",
                "reason": "InitialNamesAccepted",
                "message": "the initial names have been accepted"
              }
            ]
          },
          "rules": [
            {
              "version": "v1",
              "path": "properties[spec].x-kubernetes-validations[0]",
              "rule": "self.replicas <= self.limit",
              "maxCost": "5",
              "cardinality": "1",
              "totalCost": "5",
              "usesOldSelf": false,
              "factor": 5e-7,
              "schemaShare": 5e-8,
              "bounds": [],
              "parts": {
                "text": "self.replicas <= self.limit",
                "line": 1,
                "column": 1,
                "estimate": {
                  "own": {
                    "min": "1",
                    "max": "1"
                  },
                  "total": {
                    "min": "5",
                    "max": "5"
                  },
                  "evaluations": "1"
                },
                "parts": [
                  {
                    "text": "self.replicas",
                    "line": 1,
                    "column": 1,
                    "estimate": {
                      "own": {
                        "min": "2",
                        "max": "2"
                      },
                      "total": {
                        "min": "2",
                        "max": "2"
                      },
                      "evaluations": "1"
                    },
                    "parts": [],
                    "actual": {
                      "own": 2,
                      "total": 2,
                      "evaluations": 1
                    }
                  },
                  {
                    "text": "self.limit",
                    "line": 1,
                    "column": 18,
                    "estimate": {
                      "own": {
                        "min": "2",
                        "max": "2"
                      },
                      "total": {
                        "min": "2",
                        "max": "2"
                      },
                      "evaluations": "1"
                    },
                    "parts": [],
                    "actual": {
                      "own": 2,
                      "total": 2,
                      "evaluations": 1
                    }
                  }
                ],
                "actual": {
                  "own": 1,
                  "total": 5,
                  "evaluations": 1
                }
              },
              "measured": {
                "objects": 1,
                "evaluations": 1,
                "cost": 5,
                "dearest": {
                  "object": 0,
                  "at": "spec",
                  "cost": 5
                },
                "headroom": 999995
              }
            }
          ],
          "advice": [
            {
              "id": "0b5e2a4e-6f3c-4d0a-9a59-1b6f1f7d2c11",
              "versions": [
                "v1"
              ],
              "path": "properties[spec].x-kubernetes-validations[0]",
              "text": "spec.replicas may be absent: where the result hangs on it, the rule then ends with \"no such key: replicas\", which rejects the object, whatever the rule's own message. Test it with has() before it is read, require it, or give it a default.",
              "line": 1,
              "column": 1
            },
            {
              "id": "0b5e2a4e-6f3c-4d0a-9a59-1b6f1f7d2c11",
              "versions": [
                "v1"
              ],
              "path": "properties[spec].x-kubernetes-validations[0]",
              "text": "spec.limit may be absent: where the result hangs on it, the rule then ends with \"no such key: limit\", which rejects the object, whatever the rule's own message. Test it with has() before it is read, require it, or give it a default.",
              "line": 1,
              "column": 18
            }
          ],
          "schemas": [
            {
              "version": "v1",
              "cost": "5",
              "factor": 5e-8
            }
          ],
          "measured": {
            "objects": 1,
            "dearest": {
              "object": 0,
              "cost": 5
            },
            "headroom": 9999995
          }
        }
      ],
      "objects": [
        {
          "index": 0,
          "name": "small",
          "outcome": "accepted",
          "celCost": 5
        },
        {
          "index": 1,
          "name": "large",
          "outcome": "rejected",
          "status": {
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": "the name of the object (large) does not match the name on the URL (small)",
            "reason": "BadRequest",
            "code": 400
          }
        }
      ]
    }
  },
  "POST /explain application/json an object of a definition that is kept": {
    "type": "application/json",
    "body": {
      "definitions": [
        {
          "report": {
            "name": "widgets.example.com",
            "group": "example.com",
            "kind": "Widget",
            "versions": [
              "v1"
            ],
            "digest": "880a1632ece61a6d2810837e7368a96e39e25506db0e42227b182e5a02dc3734",
            "accepted": true,
            "warnings": [],
            "names": {
              "plural": "widgets",
              "singular": "widget",
              "shortNames": [],
              "kind": "Widget",
              "listKind": "WidgetList"
            },
            "conditions": [
              {
                "type": "Established",
                "status": "True",
                "reason": "InitialNamesAccepted",
                "message": "the initial names have been accepted"
              }
            ]
          },
          "rules": [
            {
              "version": "v1",
              "path": "properties[spec].x-kubernetes-validations[0]",
              "rule": "self.replicas <= self.limit",
              "maxCost": "5",
              "cardinality": "1",
              "totalCost": "5",
              "usesOldSelf": false,
              "factor": 5e-7,
              "schemaShare": 5e-8,
              "bounds": [],
              "parts": {
                "text": "self.replicas <= self.limit",
                "line": 1,
                "column": 1,
                "estimate": {
                  "own": {
                    "min": "1",
                    "max": "1"
                  },
                  "total": {
                    "min": "5",
                    "max": "5"
                  },
                  "evaluations": "1"
                },
                "parts": [
                  {
                    "text": "self.replicas",
                    "line": 1,
                    "column": 1,
                    "estimate": {
                      "own": {
                        "min": "2",
                        "max": "2"
                      },
                      "total": {
                        "min": "2",
                        "max": "2"
                      },
                      "evaluations": "1"
                    },
                    "parts": [],
                    "actual": {
                      "own": 2,
                      "total": 2,
                      "evaluations": 1
                    }
                  },
                  {
                    "text": "self.limit",
                    "line": 1,
                    "column": 18,
                    "estimate": {
                      "own": {
                        "min": "2",
                        "max": "2"
                      },
                      "total": {
                        "min": "2",
                        "max": "2"
                      },
                      "evaluations": "1"
                    },
                    "parts": [],
                    "actual": {
                      "own": 2,
                      "total": 2,
                      "evaluations": 1
                    }
                  }
                ],
                "actual": {
                  "own": 1,
                  "total": 5,
                  "evaluations": 1
                }
              },
              "measured": {
                "objects": 1,
                "evaluations": 1,
                "cost": 5,
                "dearest": {
                  "object": 0,
                  "at": "spec",
                  "cost": 5
                },
                "headroom": 999995
              }
            }
          ],
          "advice": [
            {
              "id": "0b5e2a4e-6f3c-4d0a-9a59-1b6f1f7d2c11",
              "versions": [
                "v1"
              ],
              "path": "properties[spec].x-kubernetes-validations[0]",
              "text": "spec.replicas may be absent: where the result hangs on it, the rule then ends with \"no such key: replicas\", which rejects the object, whatever the rule's own message. Test it with has() before it is read, require it, or give it a default.",
              "line": 1,
              "column": 1
            },
            {
              "id": "0b5e2a4e-6f3c-4d0a-9a59-1b6f1f7d2c11",
              "versions": [
                "v1"
              ],
              "path": "properties[spec].x-kubernetes-validations[0]",
              "text": "spec.limit may be absent: where the result hangs on it, the rule then ends with \"no such key: limit\", which rejects the object, whatever the rule's own message. Test it with has() before it is read, require it, or give it a default.",
              "line": 1,
              "column": 18
            }
          ],
          "schemas": [
            {
              "version": "v1",
              "cost": "5",
              "factor": 5e-8
            }
          ],
          "measured": {
            "objects": 1,
            "dearest": {
              "object": 0,
              "cost": 5
            },
            "headroom": 9999995
          }
        }
      ],
      "objects": [
        {
          "index": 0,
          "name": "small",
          "outcome": "accepted",
          "celCost": 5
        }
      ]
    }
  },
  "POST /explain application/yaml two objects": {
    "type": "application/json",
    "body": {
      "definitions": [
        {
          "report": {
            "name": "widgets.example.com",
            "group": "example.com",
            "kind": "Widget",
            "versions": [
              "v1"
            ],
            "digest": "75d4c1a67811ef2531cf8e1d9ef2b12168f3f86a19248357350f298cd5ab0ab7",
            "accepted": true,
            "warnings": [],
            "names": {
              "plural": "widgets",
              "singular": "widget",
              "shortNames": [],
              "kind": "Widget",
              "listKind": "WidgetList"
            },
            "conditions": [
              {
                "type": "Established",
                "status": "True",
                "reason": "InitialNamesAccepted",
                "message": "the initial names have been accepted"
              }
            ]
          },
          "rules": [
            {
              "version": "v1",
              "path": "properties[spec].x-kubernetes-validations[0]",
              "rule": "self.replicas <= self.limit",
              "maxCost": "5",
              "cardinality": "1",
              "totalCost": "5",
              "usesOldSelf": false,
              "factor": 5e-7,
              "schemaShare": 5e-8,
              "bounds": [],
              "parts": {
                "text": "self.replicas <= self.limit",
                "line": 1,
                "column": 1,
                "estimate": {
                  "own": {
                    "min": "1",
                    "max": "1"
                  },
                  "total": {
                    "min": "5",
                    "max": "5"
                  },
                  "evaluations": "1"
                },
                "parts": [
                  {
                    "text": "self.replicas",
                    "line": 1,
                    "column": 1,
                    "estimate": {
                      "own": {
                        "min": "2",
                        "max": "2"
                      },
                      "total": {
                        "min": "2",
                        "max": "2"
                      },
                      "evaluations": "1"
                    },
                    "parts": [],
                    "actual": {
                      "own": 2,
                      "total": 2,
                      "evaluations": 1
                    }
                  },
                  {
                    "text": "self.limit",
                    "line": 1,
                    "column": 18,
                    "estimate": {
                      "own": {
                        "min": "2",
                        "max": "2"
                      },
                      "total": {
                        "min": "2",
                        "max": "2"
                      },
                      "evaluations": "1"
                    },
                    "parts": [],
                    "actual": {
                      "own": 2,
                      "total": 2,
                      "evaluations": 1
                    }
                  }
                ],
                "actual": {
                  "own": 1,
                  "total": 5,
                  "evaluations": 1
                }
              },
              "measured": {
                "objects": 2,
                "evaluations": 2,
                "cost": 10,
                "dearest": {
                  "object": 0,
                  "at": "spec",
                  "cost": 5
                },
                "headroom": 999995
              }
            }
          ],
          "advice": [
            {
              "id": "0b5e2a4e-6f3c-4d0a-9a59-1b6f1f7d2c11",
              "versions": [
                "v1"
              ],
              "path": "properties[spec].x-kubernetes-validations[0]",
              "text": "spec.replicas may be absent: where the result hangs on it, the rule then ends with \"no such key: replicas\", which rejects the object, whatever the rule's own message. Test it with has() before it is read, require it, or give it a default.",
              "line": 1,
              "column": 1
            },
            {
              "id": "0b5e2a4e-6f3c-4d0a-9a59-1b6f1f7d2c11",
              "versions": [
                "v1"
              ],
              "path": "properties[spec].x-kubernetes-validations[0]",
              "text": "spec.limit may be absent: where the result hangs on it, the rule then ends with \"no such key: limit\", which rejects the object, whatever the rule's own message. Test it with has() before it is read, require it, or give it a default.",
              "line": 1,
              "column": 18
            }
          ],
          "schemas": [
            {
              "version": "v1",
              "cost": "5",
              "factor": 5e-8
            }
          ],
          "measured": {
            "objects": 2,
            "dearest": {
              "object": 0,
              "cost": 5
            },
            "headroom": 9999995
          }
        }
      ],
      "objects": [
        {
          "index": 0,
          "name": "small",
          "outcome": "accepted",
          "celCost": 5
        },
        {
          "index": 1,
          "name": "large",
          "outcome": "rejected",
          "status": {
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": "Widget.example.com \"large\" is invalid: spec: Invalid value: no more replicas than the limit",
            "reason": "Invalid",
            "details": {
              "name": "large",
              "group": "example.com",
              "kind": "Widget",
              "causes": [
                {
                  "reason": "FieldValueInvalid",
                  "message": "Invalid value: no more replicas than the limit",
                  "field": "spec"
                }
              ]
            },
            "code": 422
          },
          "celCost": 5
        }
      ]
    }
  },
  "POST /matrix application/json an object and an update": {
    "type": "application/json",
    "body": {
      "minors": [
        "1.30",
        "1.31",
        "1.32",
        "1.33",
        "1.34",
        "1.35",
        "1.36",
        "1.37"
      ],
      "definitions": [
        {
          "name": "widgets.example.com",
          "accepted": {
            "1.30": true,
            "1.31": true,
            "1.32": true,
            "1.33": true,
            "1.34": true,
            "1.35": true,
            "1.36": true,
            "1.37": true
          },
          "messages": {},
          "warnings": {},
          "changingRules": [],
          "changes": false
        }
      ],
      "objects": [
        {
          "index": 0,
          "name": "small",
          "outcome": {
            "1.30": "accepted",
            "1.31": "accepted",
            "1.32": "accepted",
            "1.33": "accepted",
            "1.34": "accepted",
            "1.35": "accepted",
            "1.36": "accepted",
            "1.37": "accepted"
          },
          "messages": {},
          "warnings": {},
          "celCost": {
            "1.30": 5,
            "1.31": 5,
            "1.32": 5,
            "1.33": 5,
            "1.34": 5,
            "1.35": 5,
            "1.36": 5,
            "1.37": 5
          },
          "changes": false
        },
        {
          "index": 1,
          "name": "large",
          "outcome": {
            "1.30": "rejected",
            "1.31": "rejected",
            "1.32": "rejected",
            "1.33": "rejected",
            "1.34": "rejected",
            "1.35": "rejected",
            "1.36": "rejected",
            "1.37": "rejected"
          },
          "messages": {
            "1.30": "the name of the object (large) does not match the name on the URL (small)",
            "1.31": "the name of the object (large) does not match the name on the URL (small)",
            "1.32": "the name of the object (large) does not match the name on the URL (small)",
            "1.33": "the name of the object (large) does not match the name on the URL (small)",
            "1.34": "the name of the object (large) does not match the name on the URL (small)",
            "1.35": "the name of the object (large) does not match the name on the URL (small)",
            "1.36": "the name of the object (large) does not match the name on the URL (small)",
            "1.37": "the name of the object (large) does not match the name on the URL (small)"
          },
          "warnings": {},
          "celCost": {},
          "changes": false
        }
      ]
    }
  },
  "POST /matrix application/json an object of a definition that is kept": {
    "type": "application/json",
    "body": {
      "minors": [
        "1.30",
        "1.31",
        "1.32",
        "1.33",
        "1.34",
        "1.35",
        "1.36",
        "1.37"
      ],
      "definitions": [
        {
          "name": "widgets.example.com",
          "accepted": {
            "1.30": true,
            "1.31": true,
            "1.32": true,
            "1.33": true,
            "1.34": true,
            "1.35": true,
            "1.36": true,
            "1.37": true
          },
          "messages": {},
          "warnings": {},
          "changingRules": [],
          "changes": false
        }
      ],
      "objects": [
        {
          "index": 0,
          "name": "small",
          "outcome": {
            "1.30": "accepted",
            "1.31": "accepted",
            "1.32": "accepted",
            "1.33": "accepted",
            "1.34": "accepted",
            "1.35": "accepted",
            "1.36": "accepted",
            "1.37": "accepted"
          },
          "messages": {},
          "warnings": {},
          "celCost": {
            "1.30": 5,
            "1.31": 5,
            "1.32": 5,
            "1.33": 5,
            "1.34": 5,
            "1.35": 5,
            "1.36": 5,
            "1.37": 5
          },
          "changes": false
        }
      ]
    }
  },
  "POST /matrix application/yaml two objects": {
    "type": "application/json",
    "body": {
      "minors": [
        "1.30",
        "1.31",
        "1.32",
        "1.33",
        "1.34",
        "1.35",
        "1.36",
        "1.37"
      ],
      "definitions": [
        {
          "name": "widgets.example.com",
          "accepted": {
            "1.30": true,
            "1.31": true,
            "1.32": true,
            "1.33": true,
            "1.34": true,
            "1.35": true,
            "1.36": true,
            "1.37": true
          },
          "messages": {},
          "warnings": {},
          "changingRules": [],
          "changes": false
        }
      ],
      "objects": [
        {
          "index": 0,
          "name": "small",
          "outcome": {
            "1.30": "accepted",
            "1.31": "accepted",
            "1.32": "accepted",
            "1.33": "accepted",
            "1.34": "accepted",
            "1.35": "accepted",
            "1.36": "accepted",
            "1.37": "accepted"
          },
          "messages": {},
          "warnings": {},
          "celCost": {
            "1.30": 5,
            "1.31": 5,
            "1.32": 5,
            "1.33": 5,
            "1.34": 5,
            "1.35": 5,
            "1.36": 5,
            "1.37": 5
          },
          "changes": false
        },
        {
          "index": 1,
          "name": "large",
          "outcome": {
            "1.30": "rejected",
            "1.31": "rejected",
            "1.32": "rejected",
            "1.33": "rejected",
            "1.34": "rejected",
            "1.35": "rejected",
            "1.36": "rejected",
            "1.37": "rejected"
          },
          "messages": {
            "1.30": "Widget.example.com \"large\" is invalid: spec: Invalid value: \"object\": no more replicas than the limit",
            "1.31": "Widget.example.com \"large\" is invalid: spec: Invalid value: \"object\": no more replicas than the limit",
            "1.32": "Widget.example.com \"large\" is invalid: spec: Invalid value: \"object\": no more replicas than the limit",
            "1.33": "Widget.example.com \"large\" is invalid: spec: Invalid value: \"object\": no more replicas than the limit",
            "1.34": "Widget.example.com \"large\" is invalid: spec: Invalid value: \"object\": no more replicas than the limit",
            "1.35": "Widget.example.com \"large\" is invalid: spec: Invalid value: no more replicas than the limit",
            "1.36": "Widget.example.com \"large\" is invalid: spec: Invalid value: no more replicas than the limit",
            "1.37": "Widget.example.com \"large\" is invalid: spec: Invalid value: no more replicas than the limit"
          },
          "warnings": {},
          "celCost": {
            "1.30": 5,
            "1.31": 5,
            "1.32": 5,
            "1.33": 5,
            "1.34": 5,
            "1.35": 5,
            "1.36": 5,
            "1.37": 5
          },
          "changes": true
        }
      ]
    }
  },
  "POST /what-if application/x-ndjson a rule that was added": {
    "type": "application/x-ndjson",
    "body": "{\"index\":1,\"name\":\"large\",\"effect\":\"breaksOnNextChange\",\"message\":\"Widget.example.com \\\"large\\\" is invalid: spec: Invalid value: no more replicas than the limit\",\"causes\":[{\"field\":\"spec\",\"reason\":\"FieldValueInvalid\",\"message\":\"no more replicas than the limit\"}],\"fields\":[\"spec\"],\"changes\":[],\"nextChange\":{\"path\":\"spec.replicas\",\"before\":\"5\",\"after\":\"6\"},\"cost\":{\"before\":0,\"after\":5}}\n{\"definition\":{\"name\":\"widgets.example.com\",\"group\":\"example.com\",\"kind\":\"Widget\",\"versions\":[\"v1\"],\"digest\":\"880a1632ece61a6d2810837e7368a96e39e25506db0e42227b182e5a02dc3734\",\"accepted\":true,\"warnings\":[],\"names\":{\"plural\":\"widgets\",\"singular\":\"widget\",\"shortNames\":[],\"kind\":\"Widget\",\"listKind\":\"WidgetList\"},\"conditions\":[{\"type\":\"Established\",\"status\":\"True\",\"reason\":\"InitialNamesAccepted\",\"message\":\"the initial names have been accepted\"}]},\"complete\":true,\"impact\":{\"effects\":{\"unaffected\":1,\"brokenOnUpdate\":0,\"breaksOnNextChange\":1,\"savedByRatcheting\":0,\"storedDifferently\":0,\"mended\":0,\"invalidBefore\":0,\"notJudged\":0},\"causes\":[{\"cause\":{\"field\":\"spec\",\"reason\":\"FieldValueInvalid\",\"message\":\"no more replicas than the limit\"},\"objects\":1,\"brokenOnUpdate\":0,\"breaksOnNextChange\":1}],\"objects\":2,\"costBefore\":0,\"costAfter\":10}}\n"
  },
  "POST /admission/objects application/json an object that is refused": {
    "type": "application/json",
    "body": {
      "apiVersion": "admission.k8s.io/v1",
      "kind": "AdmissionReview",
      "response": {
        "uid": "705ab4f5-6393-11e8-b7cc-42010a800002",
        "allowed": false,
        "status": {
          "kind": "Status",
          "apiVersion": "v1",
          "metadata": {},
          "status": "Failure",
          "message": "Widget.example.com \"large\" is invalid: spec: Invalid value: no more replicas than the limit",
          "reason": "Invalid",
          "details": {
            "name": "large",
            "group": "example.com",
            "kind": "Widget",
            "causes": [
              {
                "reason": "FieldValueInvalid",
                "message": "Invalid value: no more replicas than the limit",
                "field": "spec"
              }
            ]
          },
          "code": 422
        }
      }
    }
  },
  "POST /admission/definitions application/json a definition": {
    "type": "application/json",
    "body": {
      "apiVersion": "admission.k8s.io/v1",
      "kind": "AdmissionReview",
      "response": {
        "uid": "705ab4f5-6393-11e8-b7cc-42010a800002",
        "allowed": true
      }
    }
  }
};

/** What requests that fail are answered with, one for each code. */
export const RECORDED_FAILURES: RecordedAnswers = {
  "400": {
    "type": "application/json",
    "body": {
      "kind": "Status",
      "apiVersion": "v1",
      "metadata": {},
      "status": "Failure",
      "message": "options.kubernetesVersion: Invalid option: expected one of \"1.30\"|\"1.31\"|\"1.32\"|\"1.33\"|\"1.34\"|\"1.35\"|\"1.36\"|\"1.37\"",
      "reason": "BadRequest",
      "code": 400
    }
  },
  "401": {
    "type": "application/json",
    "body": {
      "kind": "Status",
      "apiVersion": "v1",
      "metadata": {},
      "status": "Failure",
      "message": "Unauthorized",
      "reason": "Unauthorized",
      "code": 401
    }
  },
  "404": {
    "type": "application/json",
    "body": {
      "kind": "Status",
      "apiVersion": "v1",
      "metadata": {},
      "status": "Failure",
      "message": "evaluations.assay \"0b5e2a4e-6f3c-4d0a-9a59-1b6f1f7d2c11\" not found",
      "reason": "NotFound",
      "details": {
        "name": "0b5e2a4e-6f3c-4d0a-9a59-1b6f1f7d2c11",
        "group": "assay",
        "kind": "evaluations"
      },
      "code": 404
    }
  },
  "408": {
    "type": "application/json",
    "body": {
      "kind": "Status",
      "apiVersion": "v1",
      "metadata": {},
      "status": "Failure",
      "message": "Timeout: the deadline of the evaluation passed before any object was judged",
      "reason": "Timeout",
      "details": {
        "retryAfterSeconds": 0
      },
      "code": 408
    }
  },
  "413": {
    "type": "application/json",
    "body": {
      "kind": "Status",
      "apiVersion": "v1",
      "metadata": {},
      "status": "Failure",
      "message": "Request entity too large: limit is 1024",
      "reason": "RequestEntityTooLarge",
      "code": 413
    }
  },
  "415": {
    "type": "application/json",
    "body": {
      "kind": "Status",
      "apiVersion": "v1",
      "metadata": {},
      "status": "Failure",
      "message": "the body must be application/json, application/yaml or application/x-ndjson",
      "reason": "UnsupportedMediaType",
      "code": 415
    }
  },
  "429": {
    "type": "application/json",
    "body": {
      "kind": "Status",
      "apiVersion": "v1",
      "metadata": {},
      "status": "Failure",
      "message": "too many requests are open, please try again later",
      "reason": "TooManyRequests",
      "details": {
        "retryAfterSeconds": 1
      },
      "code": 429
    }
  },
  "503": {
    "type": "application/json",
    "body": {
      "kind": "Status",
      "apiVersion": "v1",
      "metadata": {},
      "status": "Failure",
      "message": "the service is overloaded, please try again later",
      "reason": "ServiceUnavailable",
      "details": {
        "retryAfterSeconds": 2
      },
      "code": 503
    }
  }
};
