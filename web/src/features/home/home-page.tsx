export default function HomePage() {
  return <h1 className="page section d2">HomePage</h1>;
}
