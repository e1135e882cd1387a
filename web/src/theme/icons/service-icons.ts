// The fourteen categories, the two roles and the ways to pay, on a grid of 32 with one filled petal each.
// "tatto" is spelt as in the product's stored categories; it is shown as "Tattoo".

type Petal = { x: number; y: number; scale: number; turn: number }

export type ServiceIcon = {
  line: string
  petal?: Petal
  /** A shape of the object itself that takes the petal's colour. */
  filled?: string
  filledHasEdge?: boolean
  /** Degrees the line is turned around the middle. */
  lineTurn?: number
}

const icons = {
  barbering: {
    line: 'M11.2 10.5h9.6v12.6h-9.6zM9.6 10.5h12.8M9.6 23.1h12.8M12.4 26.6h7.2M14 23.1v3.5M18 23.1v3.5M12.8 10.5V9.3a3.2 3.2 0 0 1 6.4 0v1.2M11.2 17.6l9.6-5.2M11.2 22.6l9.6-5.2',
    petal: { x: 16, y: 3.6, scale: 0.62, turn: 0 },
  },
  massage: {
    line: 'M16 21.6a9.6 3.4 0 1 0 0 6.8a9.6 3.4 0 1 0 0-6.8zM16.4 15.6a6.8 3 0 1 0 0 6a6.8 3 0 1 0 0-6zM15.7 10.4a4.3 2.5 0 1 0 0 5a4.3 2.5 0 1 0 0-5z',
    petal: { x: 16.4, y: 6.2, scale: 0.85, turn: 0 },
  },
  body: {
    line: 'M12.7 4.4v3.3c0 1.7-1.1 2.5-3.1 3.2-3.2 1.1-4.8 2.9-5.2 6.4l-1 10.3M19.3 4.4v3.3c0 1.7 1.1 2.5 3.1 3.2 3.2 1.1 4.8 2.9 5.2 6.4l1 10.3M9.3 17.6c.5 3.4.7 6.7.6 10M22.7 17.6c-.5 3.4-.7 6.7-.6 10',
    petal: { x: 16, y: 17.4, scale: 1.05, turn: 0 },
  },
  counseling: {
    line: 'M4.8 8.4A2.6 2.6 0 0 1 7.4 5.8h11a2.6 2.6 0 0 1 2.6 2.6v6.2a2.6 2.6 0 0 1-2.6 2.6h-6.2l-4 3.4v-3.4h-.8a2.6 2.6 0 0 1-2.6-2.6zM24.4 11.8a2.8 2.8 0 0 1 2.8 2.7v6.2a2.6 2.6 0 0 1-2.6 2.6h-.6v3.3l-3.9-3.3h-4.5',
    petal: { x: 13, y: 11.6, scale: 0.85, turn: 0 },
  },
  fillers: {
    line: 'M12.9 9.6h6.2v10.2a1.4 1.4 0 0 1-1.4 1.4h-3.4a1.4 1.4 0 0 1-1.4-1.4zM11 9.6h10M16 9.6V4M13.4 3.6h5.2M16 21.2v5.6M12.9 13.4h2.4M12.9 16.6h2.4',
    petal: { x: 6.6, y: 17.4, scale: 0.9, turn: 0 },
    lineTurn: 45,
  },
  nails: {
    line: 'M13.1 3.8h5.8l.7 8.4h-7.2zM12.4 12.2h7.2c2.8 1.5 4.3 4 4.3 7.4v5.2a3 3 0 0 1-3 3h-9.8a3 3 0 0 1-3-3v-5.2c0-3.4 1.5-5.9 4.3-7.4z',
    petal: { x: 16, y: 20.4, scale: 1.15, turn: 0 },
  },
  skincare: {
    line: 'M15 4.2c4.7 5.4 7.7 9.6 7.7 14.2a7.7 7.7 0 0 1-15.4 0C7.3 13.8 10.3 9.6 15 4.2zM11 18.6a4.2 4.2 0 0 0 3.7 4.2',
    petal: { x: 25, y: 8.2, scale: 1, turn: 0 },
  },
  fitness: {
    line: 'M11.4 12.6C9.2 7.4 11.7 4.2 16 4.2s6.8 3.2 4.6 8.4M13.7 12.4c-1.3-3.5-.1-5.3 2.3-5.3s3.6 1.8 2.3 5.3M10.8 27.4c-4.5-4.3-4.1-11 .4-15h9.6c4.5 4 4.9 10.7.4 15z',
    petal: { x: 16, y: 19.8, scale: 1.05, turn: 0 },
  },
  eyebrows: {
    line: 'M5.6 20.4c4.6-5.9 16.2-5.9 20.8 0-4.6 5.9-16.2 5.9-20.8 0zM16 17.5a2.9 2.9 0 1 0 0 5.8a2.9 2.9 0 1 0 0-5.8z',
    filled: 'M4.6 12.4C9.2 6.4 18.4 4.7 27.4 9c-8.6-2-15.7-1-22.8 3.4z',
  },
  tatto: {
    line: 'M6 13.4C4.9 9 7.2 5.5 10.7 5.5c2.3 0 4.3 1.3 5.3 3.5 1-2.2 3-3.5 5.3-3.5 3.5 0 5.8 3.5 4.7 7.9M10.9 23.6l5.1 4.2 5.1-4.2M3.8 15.2c7.7 2.9 16.7 2.9 24.4 0l-1.7 3.5 1.7 3.3c-7.7 2.9-16.7 2.9-24.4 0l1.7-3.3z',
    petal: { x: 16, y: 13.3, scale: 0.62, turn: 0 },
  },
  medical: {
    line: 'M13.7 4.8h4.6a1.2 1.2 0 0 1 1.2 1.2v6.5H26a1.2 1.2 0 0 1 1.2 1.2v4.6a1.2 1.2 0 0 1-1.2 1.2h-6.5V26a1.2 1.2 0 0 1-1.2 1.2h-4.6a1.2 1.2 0 0 1-1.2-1.2v-6.5H6a1.2 1.2 0 0 1-1.2-1.2v-4.6A1.2 1.2 0 0 1 6 12.5h6.5V6a1.2 1.2 0 0 1 1.2-1.2z',
    petal: { x: 16, y: 16, scale: 1, turn: 0 },
  },
  hair: {
    line: 'M20.9 4.4l-8.4 16.6M11.1 4.4l8.4 16.6M10.7 20.6a3.6 3.6 0 1 0 0 7.2a3.6 3.6 0 1 0 0-7.2zM21.3 20.6a3.6 3.6 0 1 0 0 7.2a3.6 3.6 0 1 0 0-7.2z',
    petal: { x: 25.4, y: 11, scale: 1, turn: 0 },
  },
  'hair-removal': {
    line: 'M7.4 5h17.2v4.6a3 3 0 0 1-3 3H10.4a3 3 0 0 1-3-3zM10 8.8h12M13.8 12.6l.9 4.6v8.7a1.3 1.3 0 0 0 2.6 0v-8.7l.9-4.6',
    petal: { x: 23.6, y: 20.6, scale: 1, turn: 0 },
  },
  makeup: {
    line: 'M9.6 19.6h12.8v6.8a1.4 1.4 0 0 1-1.4 1.4H11a1.4 1.4 0 0 1-1.4-1.4zM11.4 14.4h9.2v5.2h-9.2z',
    filled: 'M13 14.4V8.8c2.6-.4 4.6-1.9 6-4.4v10z',
    filledHasEdge: true,
  },
  professional: {
    line: 'M5.4 12.2L7.8 5.4h16.4l2.4 6.8M5.4 12.2h21.2M5.4 12.2a3.5 3.5 0 0 0 7 .2 3.6 3.6 0 0 0 7.2 0 3.5 3.5 0 0 0 7-.2M7.8 16v10.8h16.4V16',
    filled: 'M13 26.8v-4.6a3 3 0 0 1 6 0v4.6z',
    filledHasEdge: true,
  },
  client: {
    line: 'M16 5.4a5.6 5.6 0 1 0 0 11.2a5.6 5.6 0 1 0 0-11.2zM6 27.4c.4-5.8 4.4-8.6 10-8.6s9.6 2.8 10 8.6',
    petal: { x: 25.6, y: 8, scale: 0.95, turn: 0 },
  },
  card: {
    line: 'M7 7.4h18a3 3 0 0 1 3 3v11.4a3 3 0 0 1-3 3h-18a3 3 0 0 1-3-3v-11.4a3 3 0 0 1 3-3zM4 13h24M8.4 20.2h5',
    petal: { x: 22.8, y: 19.2, scale: 0.9, turn: 0 },
  },
  wallet: {
    line: 'M22.4 9.8V7.6a1.8 1.8 0 0 0-2.3-1.7L6.6 9.6A2.6 2.6 0 0 0 5 12v11.6a2.8 2.8 0 0 0 2.8 2.8h16.6a2.8 2.8 0 0 0 2.8-2.8V12.6a2.8 2.8 0 0 0-2.8-2.8H7M27.2 15.2h-5.4a2.9 2.9 0 0 0 0 5.8h5.4',
    petal: { x: 22.2, y: 18.1, scale: 0.5, turn: 0 },
  },
  'buy-now-pay-later': {
    line: 'M13.2 5.3A11 11 0 0 1 26.5 12.8M26.9 18.4A11 11 0 0 1 14.6 26.9M9.6 25A11 11 0 0 1 8.3 8.1M12 16.4l3 3 5.6-6.2',
    petal: { x: 27.2, y: 15.6, scale: 0.42, turn: 20 },
  },
} satisfies Record<string, ServiceIcon>

export type ServiceIconName = keyof typeof icons

export const serviceIcons: Record<ServiceIconName, ServiceIcon> = icons
