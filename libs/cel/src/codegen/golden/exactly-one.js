// self.ports.exists_one(p, p.name == 'http')
"use strict";
const k0 = K[0];
const k2 = K[1];
const k3 = K[2];
const k14 = K[3];
const k16 = K[4];
const k17 = K[5];
return function rule(self, oldSelf, limit, flag, cell) {
  let cost = 0;
  if (typeof self !== "object" || self === null) return undefined;
  const found1 = self[k0];
  if (found1 === undefined || found1 === null) { if ((Array.isArray(self) || self instanceof k3)) return undefined; cost += 2; cell.cost = cost; return k2; }
  if (!Array.isArray(found1)) return undefined;
  const count5 = found1.length;
  let count7 = 0;
  let error8;
  cost += 2;
  for (let index4 = 0; index4 < count5; ) {
    const count9 = Math.min(index4 + 100, count5);
    for (; index4 < count9; index4++) {
      const item10 = found1[index4];
      if (typeof item10 !== "object" || item10 === null) return undefined;
      let error12, out13;
      Failed11: {
        const found15 = item10[k14];
        if (found15 === undefined || found15 === null) { if ((Array.isArray(item10) || item10 instanceof k3)) return undefined; cost += 1; error12 = k16; break Failed11; }
        if (typeof found15 !== "string") return undefined;
        if (found15 !== "") cost += 1;
        out13 = (found15.length === 4 && found15 === k17);
      }
      cost += 2;
      if (error12 !== undefined) error8 = error12; else
      if (out13) { count7++; cost += 2; }
    }
    if (cost > limit || Atomics.load(flag, 0) !== 0) return undefined;
  }
  if (error8 !== undefined) { cost += 2; cell.cost = cost; return error8; }
  cost += 2;
  cell.cost = cost;
  return (count7 === 1);
};
