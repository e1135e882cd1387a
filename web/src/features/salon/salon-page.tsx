export default function SalonPage() {
  return <h1 className="page section d2">SalonPage</h1>;
}
