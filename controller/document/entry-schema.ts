import { z } from 'zod';

/** A number, or text: decimal, 0x…, addresses. */
const valueSchema = z.union([z.string(), z.int().min(0)]);

const argumentsSchema = z.record(z.string(), valueSchema);

const memberIdSchema = z.int().min(1).max(0xffff_ffff);

/** One entry of a table, written by names. */
export const entrySchema = z
  .strictObject({
    table: z.string().min(1).describe('Name of the table, as P4Info has it or its end.'),
    match: z
      .record(z.string(), z.union([valueSchema, z.tuple([valueSchema, valueSchema])]))
      .optional()
      .describe(
        "Values by key field: a value, `10.0.0.0/8`, `0x10&&&0xf0`, `1..1023`, or a pair that means what the field's match kind says.",
      ),
    priority: z
      .int()
      .min(0)
      .max(0x7fff_ffff)
      .default(0)
      .describe(
        'Order among entries that overlap; the highest counts. Needed where keys are ternary, ranges or optional.',
      ),
    default: z
      .literal(true)
      .optional()
      .describe('True for the action of the table on a miss, instead of an entry.'),
    action: z.string().min(1).optional().describe('Name of the action.'),
    arguments: argumentsSchema.optional().describe('Values by parameter of the action.'),
    oneShot: z
      .array(
        z.strictObject({
          action: z.string().min(1).describe('Name of the action.'),
          arguments: argumentsSchema.default({}).describe('Values by parameter of the action.'),
          weight: z
            .int()
            .min(1)
            .default(1)
            .describe('Share of packets, in relation to the others.'),
          watchPort: z
            .int()
            .min(0)
            .max(510)
            .optional()
            .describe('Port without which the member is left out.'),
        }),
      )
      .min(1)
      .optional()
      .describe('A group written together with its entry.'),
    member: memberIdSchema.optional().describe('Member of the action profile.'),
    group: memberIdSchema.optional().describe('Group of the action profile.'),
    idleTimeoutMs: z
      .int()
      .min(1)
      .optional()
      .describe('Time without packets after which the switch tells the controller.'),
  })
  .superRefine((entry, context) => {
    const given = [entry.action, entry.oneShot, entry.member, entry.group];
    const count = given.filter((each) => each !== undefined).length;
    const complain = (message: string): void => context.addIssue({ code: 'custom', message });
    if (count !== 1) complain('wanted exactly one of action, oneShot, member and group');
    if (entry.arguments !== undefined && entry.action === undefined) {
      complain('arguments belong to an action');
    }
    if (entry.default && (entry.match !== undefined || entry.action === undefined)) {
      complain('a default entry has an action and no match');
    }
  });

const replicaSchema = z.strictObject({
  port: z.int().min(0).max(511).describe('Port that the copy leaves by.'),
  instance: z
    .int()
    .min(0)
    .max(0xffff)
    .default(0)
    .describe('Number by which the program tells copies apart.'),
});

const replicasSchema = z.array(replicaSchema).min(1);

/** Copies that a switch makes. */
export const replicationSchema = {
  multicastGroups: z
    .array(
      z.strictObject({
        group: z.int().min(1).max(0x7fff).describe('Number of the group.'),
        replicas: replicasSchema.describe('The copies.'),
      }),
    )
    .default([])
    .describe('Groups of ports that packets are copied to.'),
  cloneSessions: z
    .array(
      z.strictObject({
        session: z.int().min(1).max(0x7fff).describe('Number of the session.'),
        replicas: replicasSchema.describe('The copies.'),
        packetLengthBytes: z
          .int()
          .min(0)
          .max(0xffff)
          .default(0)
          .describe('Copies are cut after so many bytes; 0 for whole copies.'),
        classOfService: z.int().min(0).max(7).default(0).describe('Class of the copies.'),
      }),
    )
    .default([])
    .describe('Mirroring sessions.'),
};

export const profileSchema = {
  members: z
    .array(
      z.strictObject({
        profile: z.string().min(1).describe('Name of the action profile.'),
        member: memberIdSchema.describe('Number of the member.'),
        action: z.string().min(1).describe('Name of the action.'),
        arguments: argumentsSchema.default({}).describe('Values by parameter of the action.'),
      }),
    )
    .default([])
    .describe('The members and their weights.'),
  groups: z
    .array(
      z.strictObject({
        profile: z.string().min(1).describe('Name of the action profile.'),
        group: memberIdSchema.describe('Number of the group.'),
        members: z
          .array(
            z.strictObject({
              member: memberIdSchema.describe('Number of the member.'),
              weight: z
                .int()
                .min(1)
                .default(1)
                .describe('Share of packets, in relation to the others.'),
            }),
          )
          .describe('The members and their weights.'),
      }),
    )
    .default([])
    .describe('Groups of members, of which packets take one.'),
};

export type EntryDocument = z.infer<typeof entrySchema>;
