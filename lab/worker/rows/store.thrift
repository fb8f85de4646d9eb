// The interface of the database that the worker keeps rows in. Its shape is that of HBase's Thrift interface: a row is a
// key with cells, and a cell is a column and a value.
namespace go rows

struct Cell {
  1: string column,
  2: binary value,
}

struct Row {
  1: binary key,
  2: list<Cell> cells,
}

exception Failed {
  1: string message,
}

service Store {
  // put keeps rows; a row that was there is replaced
  void put(1: string table, 2: list<Row> rows) throws (1: Failed failed),

  // take gives the oldest rows, at most so many, and forgets them
  list<Row> take(1: string table, 2: i32 most) throws (1: Failed failed),
}
