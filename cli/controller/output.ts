import { printable } from '../../common/printable';

/** Writes a line for the user's eyes and pipes. */
export function print(line: string): void {
  process.stdout.write(`${printable(line)}\n`);
}

/** Writes a line that is not part of the output. */
export function note(line: string): void {
  process.stderr.write(`${printable(line)}\n`);
}

/** JSON with numbers of any size: those beyond 2^53 as text. */
export function jsonText(value: unknown): string {
  return JSON.stringify(
    value,
    (_, each: unknown) => {
      if (typeof each === 'bigint') {
        return each <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(each) : String(each);
      }
      return each instanceof Uint8Array ? Buffer.from(each).toString('hex') : each;
    },
    2,
  );
}
