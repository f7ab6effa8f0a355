import { z } from 'zod';
import type { DocumentPath } from '../../common/document/schema-faults';
import type { InputError } from '../../common/errors';

const KEY_WANTED =
  'wanted 32 hexadecimal digits (the 16 bytes of a SipHash key), in quotes if they look like a number';

/** 16 bytes, for SipHash-2-4. */
export const sipHashKeySchema = z.string(KEY_WANTED).regex(/^[\da-fA-F]{32}$/, KEY_WANTED);

const keySchema = z.strictObject({
  id: z.int().min(1).max(0xff).describe('0 would mean that there is no code.'),
  bytes: sipHashKeySchema.describe('16 bytes in hexadecimal digits.'),
});

/** Keys that switches sign with. */
export const signingShape = {
  key: keySchema.describe('Key of all switches.'),
  keys: z
    .array(keySchema.extend({ switch: z.string().describe('Switch that has this key.') }))
    .default([])
    .describe('Keys of single switches, in place of the common one.'),
  boot: z
    .int()
    .min(1)
    .max(0xffff_ffff)
    .default(1)
    .describe('High half of the sequence numbers; to be raised after a switch has restarted.'),
};

/** Signing of packets that hosts, or other switches, verify. */
export const signingSchema = z.strictObject(signingShape);

export type SigningDocument = z.infer<typeof signingSchema>;

/** Checks that keys of single switches are of switches that there are. */
export function checkSigning(
  { keys }: Pick<SigningDocument, 'keys'>,
  switches: readonly { readonly name: string }[],
  place: DocumentPath,
  fault: (path: DocumentPath, sentence: string) => InputError,
): void {
  keys.forEach((key, i) => {
    if (switches.some(({ name }) => name === key.switch)) return;
    throw fault([...place, 'keys', i, 'switch'], `there is no switch '${key.switch}'`);
  });
}
