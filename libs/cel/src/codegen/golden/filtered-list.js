// size(self.ports.filter(p, p.name.startsWith('x-'))) <= self.replicas * 2
"use strict";
const k3 = K[0];
const k5 = K[1];
const k6 = K[2];
const k20 = K[3];
const k22 = K[4];
const k26 = K[5];
const k27 = K[6];
const k28 = K[7];
const k32 = K[8];
const k33 = K[9];
const k37 = K[10];
const k39 = K[11];
return function rule(self, oldSelf, limit, flag, cell) {
  let cost = 0;
  if (typeof self !== "object" || self === null) return undefined;
  let error1, out2;
  Failed0: {
    const found4 = self[k3];
    if (found4 === undefined || found4 === null) { if ((Array.isArray(self) || self instanceof k6)) return undefined; cost += 1; error1 = k5; break Failed0; }
    if (!Array.isArray(found4)) return undefined;
    const count8 = found4.length;
    const out10 = [];
    let error11;
    cost += 2;
    for (let index7 = 0; index7 < count8; ) {
      const count12 = Math.min(index7 + 100, count8);
      for (; index7 < count12; index7++) {
        const item13 = found4[index7];
        if (typeof item13 !== "object" || item13 === null) return undefined;
        let error15, out16;
        Failed14: {
          let error18, out19;
          Failed17: {
            const found21 = item13[k20];
            if (found21 === undefined || found21 === null) { if ((Array.isArray(item13) || item13 instanceof k6)) return undefined; error18 = k22; break Failed17; }
            if (typeof found21 !== "string") return undefined;
            out19 = found21;
          }
          if (error18 !== undefined) { cost += k27([error18 ?? out19, k26], error18, k28); error15 = error18; break Failed14; }
          out16 = (out19.length >= 2 && out19.charCodeAt(0) === 120 && out19.charCodeAt(1) === 45);
          cost += 1;
        }
        if (error15 !== undefined) error11 = error15;
        if (error15 === undefined && out16) {
          if ((Array.isArray(item13) || item13 instanceof k6)) return undefined;
          out10.push(new k32(item13, k33));
          cost += 13;
        }
        cost += 2;
      }
      if (cost > limit || Atomics.load(flag, 0) !== 0) return undefined;
    }
    if (error11 !== undefined) { error1 = error11; break Failed0; }
    out2 = out10.length;
  }
  let error35, out36;
  Failed34: {
    const found38 = self[k37];
    if (found38 === undefined || found38 === null) { if ((Array.isArray(self) || self instanceof k6)) return undefined; error35 = k39; break Failed34; }
    if (!Number.isInteger(found38)) return undefined;
    const value40 = found38 * 2 + 0;
    if (!Number.isSafeInteger(value40)) return undefined;
    out36 = value40;
  }
  if (error1 !== undefined || error35 !== undefined) { cost += 1; cost += 5; cell.cost = cost; return error1 ?? error35; }
  cost += 6;
  cell.cost = cost;
  return (out2 <= out36);
};
