export default function VisitsPage() {
  return <h1 className="page section d2">VisitsPage</h1>;
}
