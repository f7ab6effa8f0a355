import { z } from 'zod';
import type { Attachment } from '../../common/topology/topology';
import { rateSchema } from './quantities';

const panelPort = /^([1-9]\d{0,2})\/([0-4])$/;

/** A port of the chip and where it leaves the chassis. */
const chassisPortSchema = z.strictObject({
  port: z.int().min(0).max(510).describe('Number by which the program and P4Runtime know it.'),
  panel: z
    .string()
    .regex(panelPort, 'wanted cage/channel such as 5/0, or 5/1 to 5/4 of a split one')
    .describe('Cage of the front panel, and channel of a cable that is split, or 0.'),
  speed: rateSchema
    .optional()
    .describe('Speed of the port, if not the lowest usual speed that carries its link.'),
  fec: z.enum(['on', 'off', 'auto']).optional().describe('Forward error correction.'),
  autoneg: z.boolean().optional().describe('Negotiation of speeds.'),
});

/** The chassis of a switch under Stratum, of which the controller can make the configuration. */
export const chassisSchema = z.strictObject({
  platform: z
    .enum(['PLT_GENERIC_BAREFOOT_TOFINO', 'PLT_GENERIC_BAREFOOT_TOFINO2'])
    .default('PLT_GENERIC_BAREFOOT_TOFINO')
    .describe('Platform, as Stratum names it.'),
  ports: z.array(chassisPortSchema).min(1).describe('Ports of the chip and their places.'),
});

export type ChassisDocument = z.infer<typeof chassisSchema>;
export type ChassisPort = ChassisDocument['ports'][number];

/** Cage and channel of `5/1`. */
export function panelOf({ panel }: ChassisPort): {
  readonly cage: number;
  readonly channel: number;
} {
  const [, cage, channel] = panelPort.exec(panel) ?? [];
  return { cage: Number(cage), channel: Number(channel) };
}

/** Ports that have a link and no place in the chassis. */
export function portsOutside(
  { ports }: ChassisDocument,
  attached: readonly Attachment[],
): readonly number[] {
  const known = new Set(ports.map(({ port }) => port));
  return attached.map(({ port }) => port).filter((port) => !known.has(port));
}
