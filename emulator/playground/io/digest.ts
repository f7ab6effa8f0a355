/** SHA-256 and HMAC in place of `node:crypto`; the playground's bundle takes this module for it. */
import { hmac } from '@noble/hashes/hmac';
import { sha256 } from '@noble/hashes/sha2';

type Bytes = string | Uint8Array;

interface Digest {
  update(bytes: Bytes): Digest;
  digest(): Buffer;
  digest(encoding: 'hex'): string;
}

/** @param algorithm sha256. */
export function createHash(algorithm: string): Digest {
  requireSha256(algorithm);
  return digestOf(sha256.create());
}

/** @param algorithm sha256. */
export function createHmac(algorithm: string, key: Bytes): Digest {
  requireSha256(algorithm);
  return digestOf(hmac.create(sha256, bytesOf(key)));
}

interface Hash {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

function digestOf(hash: Hash): Digest {
  function digest(): Buffer;
  function digest(encoding: 'hex'): string;
  function digest(encoding?: 'hex'): Buffer | string {
    const bytes = Buffer.from(hash.digest());
    return encoding === undefined ? bytes : bytes.toString(encoding);
  }
  const self: Digest = {
    update: (bytes) => {
      hash.update(bytesOf(bytes));
      return self;
    },
    digest,
  };
  return self;
}

const bytesOf = (bytes: Bytes): Uint8Array =>
  typeof bytes === 'string' ? Buffer.from(bytes) : bytes;

function requireSha256(algorithm: string): void {
  if (algorithm !== 'sha256') throw new Error(`no digest ${algorithm} here`);
}
