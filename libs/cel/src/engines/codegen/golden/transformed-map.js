// self.labels.transformMap(k, v, v != "", v + k).size() > 0
"use strict";
const k0 = K[0];
const k2 = K[1];
const k3 = K[2];
const k8 = K[3];
const k11 = K[4];
const k19 = K[5];
const k30 = K[6];
const k34 = K[7];
return function rule(self, oldSelf, limit, token, run) {
  let cost = 0;
  if (self === undefined) return undefined;
  if (self === null) return undefined;
  const found1 = self[k0];
  if (found1 === undefined || found1 === null) { if ((typeof self !== "object" || Array.isArray(self) || self instanceof k3)) return undefined; cost += 4; run.cost = cost; return k2; }
  if (found1 === null || (typeof found1 !== "object" || Array.isArray(found1) || found1 instanceof k3)) return undefined;
  const list5 = Object.keys(found1);
  const count6 = list5.length;
  const map9 = new k8();
  let error10;
  cost += 2;
  for (let index4 = 0; index4 < count6; ) {
    const index12 = index4;
    const count13 = Math.min(index12 + 100, count6);
    for (; index4 < count13; index4++) {
      const key14 = list5[index4];
      const item15 = found1[key14];
      if (typeof item15 !== "string") return undefined;
      if (!(item15.length === 0 && item15 === k19)) {
        if (error10 === undefined) {
          let error21, out22;
          Failed20: {
            const key23 = key14;
            const value31 = item15 + key14;
            cost += Math.ceil((k30(item15) + k30(key14)) * 0.1);
            const value32 = value31;
            const out33 = k11([map9, key23, value32], run);
            if (out33 instanceof k34) { error21 = out33; break Failed20; }
            out22 = map9;
          }
          error10 = error21;
          cost += 4;
        }
        cost += 1;
      }
    }
    cost += 1 * (count13 - index12);
    if (cost > limit || token.cancelled) return undefined;
  }
  if (error10 !== undefined) { cost += 3; run.cost = cost; return error10; }
  const map35 = map9.frozen();
  cost += 3;
  run.cost = cost;
  return (map35.size > 0);
};
