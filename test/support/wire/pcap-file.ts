/** A pcap file with frames a millisecond apart. */
export function pcapFile(
  frames: readonly Uint8Array[],
  { littleEndian = true, nanoseconds = false, linkType = 1 } = {},
): Uint8Array {
  const header = words([nanoseconds ? 0xa1b23c4d : 0xa1b2c3d4], littleEndian);
  const version = words(
    [littleEndian ? 0x0004_0002 : 0x0002_0004, 0, 0, 65535, linkType],
    littleEndian,
  );
  const records = frames.flatMap((frame, i) => {
    const fraction = nanoseconds ? i * 1_000_000 + 7 : i * 1000;
    const lengths = [frame.length, frame.length];
    return [words([1_700_000_000, fraction, ...lengths], littleEndian), frame];
  });
  return new Uint8Array(Buffer.concat([header, version, ...records]));
}

function words(values: readonly number[], littleEndian: boolean): Uint8Array {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) =>
    littleEndian ? bytes.writeUInt32LE(value, 4 * i) : bytes.writeUInt32BE(value, 4 * i),
  );
  return bytes;
}
