// [?self.?minReplicas, self.replicas].size() == 2
"use strict";
const k2 = K[0];
const k4 = K[1];
const k5 = K[2];
const k7 = K[3];
return function rule(self, oldSelf, limit, token, run) {
  let cost = 0;
  if (self === undefined) return undefined;
  if (self === null) return undefined;
  const list0 = [];
  let out1;
  const found3 = self[k2];
  if (found3 !== undefined && found3 !== null) {
    if (!Number.isInteger(found3)) return undefined;
    out1 = found3;
    cost += 1;
  } else {
    if ((typeof self !== "object" || Array.isArray(self) || self instanceof k4)) return undefined;
  }
  if (out1 !== undefined) {
    list0.push(out1);
  }
  const found6 = self[k5];
  if (found6 === undefined || found6 === null) { if ((typeof self !== "object" || Array.isArray(self) || self instanceof k4)) return undefined; cost += 15; run.cost = cost; return k7; }
  if (!Number.isInteger(found6)) return undefined;
  list0.push(found6);
  cost += 15;
  run.cost = cost;
  return (list0.length === 2);
};
