import { LiveFeed } from '../../../../../emulator/view/server/live-feed';
import { runPage } from '../../../../../emulator/view/data/run-page';
import { RESULT } from '../../../../support/result';

const pageOf = (title: string) => () => ({ ...runPage(RESULT), title });

test('who comes after the last news is told them, and nobody after the end', () => {
  const feed = new LiveFeed();
  const told: string[] = [];
  const reader = {
    page: ({ title }: { readonly title: string }) => void told.push(title),
    status: (text: string) => void told.push(text),
  };
  feed.follow(reader)();
  expect(told).toEqual(['']);
  feed.publish(pageOf('first'), 'in progress');
  feed.publish(pageOf('last'), 'over');
  const end = feed.follow(reader);
  expect(told).toEqual(['', 'last', 'over']);
  end();
  feed.publish(pageOf('later'), 'over');
  expect(told).toHaveLength(3);
});

test('a page is made for those who look, once', () => {
  const feed = new LiveFeed();
  const page = jest.fn(pageOf('a'));
  feed.publish(page, '');
  expect(page).not.toHaveBeenCalled();
  for (let i = 0; i < 3; i++) feed.follow({ page: () => undefined, status: () => undefined });
  page.mockClear();
  feed.publish(page, '');
  expect(page).toHaveBeenCalledTimes(1);
});
