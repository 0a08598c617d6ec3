// self.minReplicas <= self.replicas
"use strict";
const k3 = K[0];
const k5 = K[1];
const k6 = K[2];
const k10 = K[3];
const k12 = K[4];
return function rule(self, oldSelf, limit, token, run) {
  let cost = 0;
  if (self === undefined) return undefined;
  if (self === null) return undefined;
  let error1, out2;
  Failed0: {
    const found4 = self[k3];
    if (found4 === undefined || found4 === null) { if ((typeof self !== "object" || Array.isArray(self) || self instanceof k6)) return undefined; error1 = k5; break Failed0; }
    if (!Number.isInteger(found4)) return undefined;
    out2 = found4;
  }
  let error8, out9;
  Failed7: {
    const found11 = self[k10];
    if (found11 === undefined || found11 === null) { if ((typeof self !== "object" || Array.isArray(self) || self instanceof k6)) return undefined; error8 = k12; break Failed7; }
    if (!Number.isInteger(found11)) return undefined;
    out9 = found11;
  }
  if (error1 !== undefined || error8 !== undefined) { cost += 1; cost += 4; run.cost = cost; return error1 ?? error8; }
  cost += 5;
  run.cost = cost;
  return (out2 <= out9);
};
