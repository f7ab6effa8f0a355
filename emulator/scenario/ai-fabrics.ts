import { z } from 'zod';
import { delayNs, rateGbps } from '../workload/quantities';
import { count, counter, joinAll, linkShape, oneTo } from './fabric-parts';
import type { Fabric, FabricLink } from './fabric-parts';

const railsSchema = z
  .strictObject({
    kind: z.literal('rails'),
    segments: count(64).describe('Segments: servers that share rail switches.'),
    servers: count(128).describe('Servers of each segment.'),
    gpus: count(16).describe('GPUs of each server, each with a NIC: as many rails.'),
    planes: count(4)
      .default(1)
      .describe('Planes: ports of each NIC, each to a rail switch of its own.'),
    spines: count(64).describe('Spines of each plane, joined to all its rail switches.'),
    local: z
      .strictObject({
        rateGbps: rateGbps.describe('Rate of each of these links.'),
        delayNs: delayNs.describe('Propagation delay of each, in one direction.'),
      })
      .optional()
      .describe(
        'Fast links from the GPUs of a server to a switch of its own, as NVLink; none unless given.',
      ),
    ...linkShape,
  })
  .describe(
    'GPUs as hosts, rail-optimised: GPU n of every server of a segment is joined to rail switch n of the segment. One plane is the shape of Spectrum-X, two that of HPN (two ToR switches, two planes).',
  );

const planesSchema = z
  .strictObject({
    kind: z.literal('planes'),
    planes: count(8).describe('Planes: links of each host, each to a fabric of its own.'),
    leaves: count(64).describe('Leaves of each plane.'),
    spines: count(64).describe('Spines of each plane, joined to all its leaves.'),
    hostsPerLeaf: count(128).describe(
      'Hosts of each leaf; they have the same place in all planes.',
    ),
    ...linkShape,
  })
  .describe('Several equal leaf-spine fabrics beside each other; every host has a link to each.');

/** Fabrics for training, whose hosts have several links. */
export const AI_FABRICS = [railsSchema, planesSchema] as const;

/**
 * Hosts `g-server-gpu`, switches `rail-segment-gpu`, `spine-n` and `nv-server`; with several planes
 * `rail-segment-gpu-plane` and `spine-plane-n`. Servers are numbered through all segments.
 */
export function rails(document: z.output<typeof railsSchema>): Fabric {
  const { segments, servers, gpus, planes: count, spines, local } = document;
  const planeNames = count === 1 ? [''] : oneTo(count).map(String);
  const named = (...parts: readonly (number | string)[]): string =>
    parts.filter((part) => part !== '').join('-');
  const all = oneTo(segments * servers);
  const segmentOf = (server: number): number => Math.ceil(server / servers);
  const upper = planeNames.map((plane) => oneTo(spines).map((n) => named('spine', plane, n)));
  const lower = planeNames.map((plane) =>
    oneTo(segments).flatMap((segment) =>
      oneTo(gpus).map((gpu) => named('rail', segment, gpu, plane)),
    ),
  );
  const edges = all.flatMap((server) =>
    oneTo(gpus).flatMap((gpu) =>
      planeNames.map((plane) => ({
        a: named('rail', segmentOf(server), gpu, plane),
        b: named('g', server, gpu),
        isEdge: true,
      })),
    ),
  );
  const inside: FabricLink[] =
    local === undefined
      ? []
      : all.flatMap((server) =>
          oneTo(gpus).map((gpu) => ({
            a: named('nv', server),
            b: named('g', server, gpu),
            isEdge: true,
            local,
          })),
        );
  return {
    switches: [
      ...lower.flat(),
      ...upper.flat(),
      ...(local === undefined ? [] : all.map((server) => named('nv', server))),
    ],
    hosts: all.flatMap((server) => oneTo(gpus).map((gpu) => named('g', server, gpu))),
    links: [
      ...edges,
      ...inside,
      ...lower.flatMap((own, plane) => joinAll(own, upper[plane] ?? [])),
    ],
  };
}

/** Hosts `h1`…, switches `leaf-plane-n` and `spine-plane-n`. */
export function planes(document: z.output<typeof planesSchema>): Fabric {
  const { leaves, hostsPerLeaf } = document;
  const name = counter('h');
  const hosts = oneTo(leaves * hostsPerLeaf).map(name);
  const each = oneTo(document.planes).map((plane) => {
    const lower = oneTo(leaves).map((n) => `leaf-${plane}-${n}`);
    const upper = oneTo(document.spines).map((n) => `spine-${plane}-${n}`);
    const edges = hosts.map((b, i) => ({
      a: lower[Math.floor(i / hostsPerLeaf)] ?? '',
      b,
      isEdge: true,
    }));
    return { switches: [...lower, ...upper], links: [...edges, ...joinAll(lower, upper)] };
  });
  return {
    switches: each.flatMap(({ switches }) => switches),
    hosts,
    links: each.flatMap(({ links }) => links),
  };
}
