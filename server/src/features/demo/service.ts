// What other made-up institutes take from the demo: its menus, people, words and ways of making a week.
export { type Gender, readDemoContent, type ServiceText, type Title, type Words } from './content.ts'
export { absenceRows, closureRows, openingRows, overrideRows, rotaAnchorDay, rotaRows } from './diary-rows.ts'
export { type Random, randomFrom } from './random.ts'
export type * from './rows.ts'
