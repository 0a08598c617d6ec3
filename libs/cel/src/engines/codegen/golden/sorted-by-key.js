// self.ports.sortBy(p, p.port)[0].port >= 1024
"use strict";
const k5 = K[0];
const k7 = K[1];
const k8 = K[2];
const k26 = K[3];
const k28 = K[4];
const k29 = K[5];
const k30 = K[6];
const k31 = K[7];
const k32 = K[8];
const k33 = K[9];
const k34 = K[10];
const k37 = K[11];
const k39 = K[12];
const k40 = K[13];
const k41 = K[14];
const k44 = K[15];
const k45 = K[16];
const k47 = K[17];
return function rule(self, oldSelf, limit, token, run) {
  let cost = 0;
  if (self === undefined) return undefined;
  if (self === null) return undefined;
  let value0;
  let error1;
  let error3, out4;
  Failed2: {
    const found6 = self[k5];
    if (found6 === undefined || found6 === null) { if ((typeof self !== "object" || Array.isArray(self) || self instanceof k8)) return undefined; error3 = k7; break Failed2; }
    if (!Array.isArray(found6)) return undefined;
    out4 = found6;
  }
  error1 = error3;
  value0 = out4;
  let error10, out11;
  Failed9: {
    if (error1 !== undefined) { error10 = error1; break Failed9; }
    out11 = value0;
  }
  let error13, out14;
  Failed12: {
    if (error1 !== undefined) { cost += 4; error13 = error1; break Failed12; }
    const count16 = value0.length;
    const out18 = new Array(count16);
    let error19;
    cost += 5;
    for (let index15 = 0; index15 < count16; ) {
      const index20 = index15;
      const count21 = Math.min(index20 + 100, count16);
      for (; index15 < count21; index15++) {
        const item22 = value0[index15];
        if (item22 === null) return undefined;
        let error24, out25;
        Failed23: {
          const found27 = item22[k26];
          if (found27 === undefined || found27 === null) { if ((typeof item22 !== "object" || Array.isArray(item22) || item22 instanceof k8)) return undefined; error24 = k28; break Failed23; }
          if (!Number.isInteger(found27)) return undefined;
          out25 = found27;
        }
        if (error24 === undefined) {
          out18[index15] = out25;
        } else {
          error19 ??= error24;
        }
      }
      cost += 14 * (count21 - index20);
      if (cost > limit || token.cancelled) return undefined;
    }
    if (error19 !== undefined) { error13 = error19; break Failed12; }
    out14 = out18;
  }
  if (error10 !== undefined || error13 !== undefined) { cost += k33([error10 ?? new k29(out11, k30, k31), error13 ?? new k32(out14)], error10 ?? error13, k34); cost += 2; run.cost = cost; return error10 ?? error13; }
  const value35 = new k29(out11, k30, k31);
  const value36 = new k32(out14);
  const value38 = k37([value35, value36], run);
  cost += k33([value35, value36], value38, k34);
  if (value38 instanceof k39) { cost += 2; run.cost = cost; return value38; }
  if (!k40(value38)) return undefined;
  if (!(0 >= 0 && 0 < value38.size)) { cost += 3; run.cost = cost; return k41(0); }
  const item42 = value38.at(0);
  if (item42 instanceof k39) return undefined;
  const value43 = item42;
  if (value43 instanceof k44) return undefined;
  const found46 = k45(value43, k26, run);
  if (found46 instanceof k47) { cost += 4; run.cost = cost; return found46.error; }
  if (found46 instanceof k39) return undefined;
  if (typeof found46 !== "number") return undefined;
  cost += 4;
  run.cost = cost;
  return (found46 >= 1024);
};
