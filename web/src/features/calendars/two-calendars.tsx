// Two sheets of a calendar, the front one with our petal: paper is paper in the dark, too.
const columns = [48, 76, 104, 132]
const lines = [92, 114, 136]
const petal = 'M-22 32C-23 2-3-25 24-34 25-5 6 22-22 32z'

export function TwoCalendars() {
  return (
    <svg viewBox="20 15 260 180" width="260" height="180" aria-hidden="true">
      <circle cx="150" cy="104" r="84" fill="var(--blush)" />
      <g transform="rotate(-8 108 110)">
        <rect x="34" y="52" width="132" height="112" rx="10" fill="#FFFDF9" stroke="var(--line)" />
        <path d="M44 52h112q10 0 10 10v18H34V62q0-10 10-10z" fill="#4A7173" />
        {lines.flatMap((y) => columns.map((x) => <rect key={`${x} ${y}`} x={x} y={y} width="18" height="12" rx="3" fill="#C3D3D6" />))}
      </g>
      <g transform="rotate(7 200 104)">
        <rect x="142" y="40" width="116" height="114" rx="10" fill="#FFFDF9" stroke="var(--line)" />
        <path d="M152 40h96q10 0 10 10v18H142V50q0-10 10-10z" fill="#5B1F47" />
        <path transform="translate(200 110) scale(.8)" d={petal} fill="#C4674A" />
      </g>
    </svg>
  )
}
