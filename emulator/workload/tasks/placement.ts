import { z } from 'zod';
import { InputError } from '../../../common/errors';
import { delayNs, rateGbps } from '../quantities';
import { hostName } from '../workload-kind';
import type { Participant } from '../workload-kind';

/** Which rank is on which host, and how fast ranks of one host reach each other. */
export const placementSchema = z
  .strictObject({
    hosts: z
      .array(hostName)
      .min(1)
      .optional()
      .describe('Hosts that get ranks, in this order; all of the topology unless given.'),
    ranksPerHost: z
      .number()
      .int()
      .min(1)
      .max(1024)
      .default(1)
      .describe('Ranks of each host: the first ones on the first host, and so on.'),
    ranks: z
      .array(hostName)
      .min(1)
      .optional()
      .describe('Host of each rank, in place of `hosts` and `ranksPerHost`.'),
    local: z
      .strictObject({
        rateGbps: rateGbps.default(3600).describe('Rate at which a rank sends inside its host.'),
        delayNs: delayNs.default(500).describe('Time that each message takes beyond that.'),
      })
      .prefault({})
      .describe(
        'Links between ranks of one host, such as NVLink; they are no part of the network.',
      ),
  })
  .superRefine(({ ranks, hosts, ranksPerHost }, context) => {
    if (ranks === undefined || (hosts === undefined && ranksPerHost === 1)) return;
    const message = 'ranks says the host of each rank: leave out hosts and ranksPerHost';
    context.addIssue({ code: 'custom', path: ['ranks'], message });
  })
  .describe('Which rank is on which host.');

export type Placement = z.output<typeof placementSchema>;

/**
 * The host of each rank.
 * @throws InputError for hosts that do not exist, or too few of them.
 */
export function hostsOfRanks(
  { ranks: named, hosts: chosen, ranksPerHost }: Placement,
  ranks: number,
  known: readonly Participant[],
): readonly string[] {
  const names = known.map(({ name }) => name);
  const unknown = [...(named ?? []), ...(chosen ?? [])].find((host) => !names.includes(host));
  if (unknown !== undefined)
    throw new InputError(`placement: ${unknown} is no host of the topology`);
  if (named !== undefined) {
    if (named.length === ranks) return named;
    throw new InputError(`placement: ranks names ${named.length} hosts for ${ranks} ranks`);
  }
  const hosts = chosen ?? names;
  if (hosts.length * ranksPerHost >= ranks) {
    return Array.from({ length: ranks }, (_, i) => hosts[Math.floor(i / ranksPerHost)] as string);
  }
  throw new InputError(
    `${ranks} ranks do not fit on ${hosts.length} hosts with ${ranksPerHost} each (ranksPerHost)`,
  );
}
