import { ReorderingMeter } from '../../../../../host-agent/transport/receiving/reordering-meter';

const metered = () => {
  const counts = { reorderedPackets: 0, reorderedBytes: 0, reorderedBytesMax: 0 };
  const meter = new ReorderingMeter(counts);
  const flow = { latestEnd: 0 };
  return { counts, flow, note: meter.note.bind(meter) };
};

test('packets behind later ones count, with their distance in bytes', () => {
  const { counts, flow, note } = metered();
  for (const end of [1000, 4000, 2000, 3000, 5000]) note(flow, end, false);
  expect(counts).toEqual({ reorderedPackets: 2, reorderedBytes: 3000, reorderedBytesMax: 2000 });
});

test('neither what is in order nor what was sent again counts', () => {
  const { counts, flow, note } = metered();
  for (const end of [1000, 2000, 3000]) note(flow, end, false);
  note(flow, 3000, false);
  note(flow, 1000, true);
  expect(counts.reorderedPackets).toBe(0);
});

test('flows do not count against each other', () => {
  const { counts, note } = metered();
  note({ latestEnd: 0 }, 5000, false);
  note({ latestEnd: 0 }, 1000, false);
  expect(counts.reorderedPackets).toBe(0);
});
