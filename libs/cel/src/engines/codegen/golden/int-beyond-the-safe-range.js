// self.replicas < 9223372036854775807
"use strict";
const k0 = K[0];
const k2 = K[1];
const k3 = K[2];
const k4 = K[3];
const k5 = K[4];
const k7 = K[5];
return function rule(self, oldSelf, limit, token, run) {
  let cost = 0;
  if (self === undefined) return undefined;
  if (self === null) return undefined;
  const found1 = self[k0];
  if (found1 === undefined || found1 === null) { if ((typeof self !== "object" || Array.isArray(self) || self instanceof k3)) return undefined; cost += 3; run.cost = cost; return k2; }
  if (!Number.isInteger(found1)) return undefined;
  const value6 = k5(run, found1, k4);
  if (value6 instanceof k7) { cost += 3; run.cost = cost; return value6; }
  if (typeof value6 !== "boolean") return undefined;
  cost += 3;
  run.cost = cost;
  return value6;
};
