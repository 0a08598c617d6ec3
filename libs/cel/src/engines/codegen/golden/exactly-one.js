// self.ports.exists_one(p, p.name == 'http')
"use strict";
const k0 = K[0];
const k2 = K[1];
const k3 = K[2];
const k15 = K[3];
const k17 = K[4];
const k18 = K[5];
return function rule(self, oldSelf, limit, token, run) {
  let cost = 0;
  if (self === undefined) return undefined;
  if (self === null) return undefined;
  const found1 = self[k0];
  if (found1 === undefined || found1 === null) { if ((typeof self !== "object" || Array.isArray(self) || self instanceof k3)) return undefined; cost += 2; run.cost = cost; return k2; }
  if (!Array.isArray(found1)) return undefined;
  const count5 = found1.length;
  let count7 = 0;
  let error8;
  cost += 2;
  for (let index4 = 0; index4 < count5; ) {
    const index9 = index4;
    const count10 = Math.min(index9 + 100, count5);
    for (; index4 < count10; index4++) {
      const item11 = found1[index4];
      if (item11 === null) return undefined;
      let error13, out14;
      Failed12: {
        const found16 = item11[k15];
        if ((typeof item11 !== "object" || Array.isArray(item11) || item11 instanceof k3)) return undefined;
        if (found16 === undefined || found16 === null) { cost += 1; error13 = k17; break Failed12; }
        if (typeof found16 !== "string") return undefined;
        cost += (found16 === "" ? 0 : 1);
        out14 = (found16.length === 4 && found16 === k18);
      }
      if (error13 !== undefined) error8 = error13; else
      if (out14) { count7++; cost += 2; }
    }
    cost += 2 * (count10 - index9);
    if (cost > limit || token.cancelled) return undefined;
  }
  if (error8 !== undefined) { cost += 2; run.cost = cost; return error8; }
  cost += 2;
  run.cost = cost;
  return (count7 === 1);
};
