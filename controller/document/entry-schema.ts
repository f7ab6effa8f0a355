import { z } from 'zod';

/** A number, or text: decimal, 0x…, addresses. */
const valueSchema = z.union([z.string(), z.int().min(0)]);

const argumentsSchema = z.record(z.string(), valueSchema);

const memberIdSchema = z.int().min(1).max(0xffff_ffff);

/** One entry of a table, written by names. */
export const entrySchema = z
  .strictObject({
    table: z.string().min(1),
    /**
     * Values by key field: a value, `10.0.0.0/8`, `0x10&&&0xf0`, `1..1023`, or a pair that means what the
     * field's match kind says.
     */
    match: z
      .record(z.string(), z.union([valueSchema, z.tuple([valueSchema, valueSchema])]))
      .optional(),
    priority: z.int().min(0).max(0x7fff_ffff).default(0),
    /** True for the action of the table on a miss, instead of an entry. */
    default: z.literal(true).optional(),
    action: z.string().min(1).optional(),
    arguments: argumentsSchema.optional(),
    /** A group written together with its entry. */
    oneShot: z
      .array(
        z.strictObject({
          action: z.string().min(1),
          arguments: argumentsSchema.default({}),
          weight: z.int().min(1).default(1),
          watchPort: z.int().min(0).max(510).optional(),
        }),
      )
      .min(1)
      .optional(),
    member: memberIdSchema.optional(),
    group: memberIdSchema.optional(),
    idleTimeoutMs: z.int().min(1).optional(),
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
  port: z.int().min(0).max(511),
  instance: z.int().min(0).max(0xffff).default(0),
});

const replicasSchema = z.array(replicaSchema).min(1);

/** Copies that a switch makes. */
export const replicationSchema = {
  multicastGroups: z
    .array(z.strictObject({ group: z.int().min(1).max(0x7fff), replicas: replicasSchema }))
    .default([]),
  cloneSessions: z
    .array(
      z.strictObject({
        session: z.int().min(1).max(0x7fff),
        replicas: replicasSchema,
        /** Copies are cut after so many bytes; 0 for whole copies. */
        packetLengthBytes: z.int().min(0).max(0xffff).default(0),
        classOfService: z.int().min(0).max(7).default(0),
      }),
    )
    .default([]),
};

export const profileSchema = {
  /** Members and groups of action profiles, for entries that name them by number. */
  members: z
    .array(
      z.strictObject({
        profile: z.string().min(1),
        member: memberIdSchema,
        action: z.string().min(1),
        arguments: argumentsSchema.default({}),
      }),
    )
    .default([]),
  groups: z
    .array(
      z.strictObject({
        profile: z.string().min(1),
        group: memberIdSchema,
        members: z.array(
          z.strictObject({ member: memberIdSchema, weight: z.int().min(1).default(1) }),
        ),
      }),
    )
    .default([]),
};

export type EntryDocument = z.infer<typeof entrySchema>;
