// self.labels.transformMap(k, v, v != "", v + k).size() > 0
"use strict";
const k0 = K[0];
const k2 = K[1];
const k3 = K[2];
const k5 = K[3];
const k9 = K[4];
const k12 = K[5];
const k20 = K[6];
const k31 = K[7];
const k35 = K[8];
return function rule(self, oldSelf, limit, token, run) {
  let cost = 0;
  if (self === undefined) return undefined;
  if (self === null) return undefined;
  const found1 = self[k0];
  if (found1 === undefined || found1 === null) { if ((typeof self !== "object" || Array.isArray(self) || self instanceof k3)) return undefined; cost += 4; run.cost = cost; return k2; }
  if (found1 === null || (typeof found1 !== "object" || Array.isArray(found1) || found1 instanceof k3)) return undefined;
  const list6 = k5(found1);
  const count7 = list6.length;
  const map10 = new k9();
  let error11;
  cost += 2;
  for (let index4 = 0; index4 < count7; ) {
    const index13 = index4;
    const count14 = Math.min(index13 + 100, count7);
    for (; index4 < count14; index4++) {
      const key15 = list6[index4];
      const item16 = found1[key15];
      if (typeof item16 !== "string") return undefined;
      if (!(item16.length === 0 && item16 === k20)) {
        if (error11 === undefined) {
          let error22, out23;
          Failed21: {
            const key24 = key15;
            const value32 = item16 + key15;
            cost += Math.ceil((k31(item16) + k31(key15)) * 0.1);
            const value33 = value32;
            const out34 = k12([map10, key24, value33], run);
            if (out34 instanceof k35) { error22 = out34; break Failed21; }
            out23 = map10;
          }
          error11 = error22;
          cost += 4;
        }
        cost += 1;
      }
    }
    cost += 1 * (count14 - index13);
    if (cost > limit || token.cancelled) return undefined;
  }
  if (error11 !== undefined) { cost += 3; run.cost = cost; return error11; }
  const map36 = map10.frozen();
  cost += 3;
  run.cost = cost;
  return (map36.size > 0);
};
