// self.ports.map(p, p.name != "", p.port).sum() < 10
"use strict";
const k5 = K[0];
const k7 = K[1];
const k8 = K[2];
const k19 = K[3];
const k21 = K[4];
const k22 = K[5];
const k26 = K[6];
const k28 = K[7];
const k29 = K[8];
const k30 = K[9];
return function rule(self, oldSelf, limit, token, run) {
  let cost = 0;
  if (self === undefined) return undefined;
  if (self === null) return undefined;
  let count0 = 0;
  let value1 = 0;
  let error3, out4;
  Failed2: {
    const found6 = self[k5];
    if (found6 === undefined || found6 === null) { if ((typeof self !== "object" || Array.isArray(self) || self instanceof k8)) return undefined; cost += 1; error3 = k7; break Failed2; }
    if (!Array.isArray(found6)) return undefined;
    const count10 = found6.length;
    let error12;
    cost += 2;
    for (let index9 = 0; index9 < count10; ) {
      const index13 = index9;
      const count14 = Math.min(index13 + 100, count10);
      for (; index9 < count14; index9++) {
        const item15 = found6[index9];
        if (item15 === null) return undefined;
        let error17, out18;
        Failed16: {
          const found20 = item15[k19];
          if ((typeof item15 !== "object" || Array.isArray(item15) || item15 instanceof k8)) return undefined;
          if (found20 === undefined || found20 === null) { error17 = k21; break Failed16; }
          if (typeof found20 !== "string") return undefined;
          out18 = !(found20.length === 0 && found20 === k22);
        }
        if (error17 !== undefined) error12 = error17;
        if (error17 === undefined && out18) {
          let error24, out25;
          Failed23: {
            const found27 = item15[k26];
            if (found27 === undefined || found27 === null) { if ((typeof item15 !== "object" || Array.isArray(item15) || item15 instanceof k8)) return undefined; error24 = k28; break Failed23; }
            if (!Number.isInteger(found27)) return undefined;
            out25 = found27;
          }
          if (error24 === undefined) {
            value1 += out25;
            if (!Number.isSafeInteger(value1)) return undefined;
            count0++;
          } else {
            error12 ??= error24;
          }
          cost += 14;
        }
      }
      cost += 2 * (count14 - index13);
      if (cost > limit || token.cancelled) return undefined;
    }
    if (error12 !== undefined) { error3 = error12; break Failed2; }
    out4 = count0;
  }
  if (error3 !== undefined) { cost += k29([error3], error3, k30); cost += 2; run.cost = cost; return error3; }
  cost += out4;
  cost += 2;
  run.cost = cost;
  return (value1 < 10);
};
