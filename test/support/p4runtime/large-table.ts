import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import { parseP4Info } from '../../../common/p4runtime/load-p4info';
import { SAMPLE_P4INFO, SAMPLE_PROGRAM } from './sample-program';
import { bytes, entry, ID, insert, lpm } from './sample-updates';

/** Entries that the route table of {@link largeConfig} holds. */
export const LARGE = 1_000_000;

/** The sample program with room for many routes and members. */
export function largeConfig(): p4.ForwardingPipelineConfig {
  const program = SAMPLE_PROGRAM.replace('"max_size":16', `"max_size":${LARGE}`);
  const p4info = SAMPLE_P4INFO.replace(' size: 16 ', ` size: ${LARGE} `);
  return new p4.ForwardingPipelineConfig({
    p4info: parseP4Info(Buffer.from(p4info), 'text'),
    p4DeviceConfig: Uint8Array.from(Buffer.from(program)),
  });
}

/** The number as four bytes without leading zeros. */
const canonical = (value: number): Uint8Array => {
  const all = [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
  const first = all.findIndex((byte) => byte > 0);
  return bytes(...(first < 0 ? [0] : all.slice(first)));
};

/** A host route whose member is number 1. */
export const hostRoute = (host: number): p4.Entity =>
  entry({
    tableId: ID.route,
    match: [lpm(canonical(0x0a00_0000 + host), 32)],
    action: new p4.TableAction({ actionProfileMemberId: 1 }),
  });

/** What inserts the member and so many routes, in requests of 1,000. */
export function hostRoutes(count: number): p4.Update[][] {
  const batches: p4.Update[][] = [];
  for (let first = 0; first < count; first += 1000) {
    const size = Math.min(1000, count - first);
    batches.push(Array.from({ length: size }, (_, i) => insert(hostRoute(first + i))));
  }
  return batches;
}
