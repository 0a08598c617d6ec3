// self.mode == oldSelf.mode
"use strict";
const k3 = K[0];
const k5 = K[1];
const k6 = K[2];
const k11 = K[3];
const k12 = K[4];
const k13 = K[5];
const k14 = K[6];
return function rule(self, oldSelf, limit, token, run) {
  let cost = 0;
  if (self === undefined) return undefined;
  if (self === null) return undefined;
  if (oldSelf === undefined) return undefined;
  if (oldSelf === null) return undefined;
  let error1, out2;
  Failed0: {
    const found4 = self[k3];
    if (found4 === undefined || found4 === null) { if ((typeof self !== "object" || Array.isArray(self) || self instanceof k6)) return undefined; error1 = k5; break Failed0; }
    if (typeof found4 !== "string") return undefined;
    out2 = found4;
  }
  let error8, out9;
  Failed7: {
    const found10 = oldSelf[k3];
    if (found10 === undefined || found10 === null) { if ((typeof oldSelf !== "object" || Array.isArray(oldSelf) || oldSelf instanceof k6)) return undefined; error8 = k11; break Failed7; }
    if (typeof found10 !== "string") return undefined;
    out9 = found10;
  }
  if (error1 !== undefined || error8 !== undefined) { cost += k12([error1 ?? out2, error8 ?? out9], error1 ?? error8, k13); cost += 4; run.cost = cost; return error1 ?? error8; }
  cost += k14(out2, out9);
  cost += 4;
  run.cost = cost;
  return (out2 === out9);
};
