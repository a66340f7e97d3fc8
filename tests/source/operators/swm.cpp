#include <algorithm>
#include <deque>
#include <string>
#include <vector>
struct range {
  int begin();
  int end();
};
int of(std::vector<int>& v, const std::string& s, range r) {
  auto first = v.begin();  //: v.end()
  int least = std::min(3, 4);  //: std::max(3, 4)
  if (v.empty()) return 1;  //: !v.empty()
  auto at = s.find('x');  //: s.rfind('x')
  v.push_back(3);
  std::deque<int> d;
  d.push_back(3);  //: d.push_front(3)
  auto place = std::lower_bound(v.begin(), v.end(), 3);  //: v.end() ;; v.begin() ;; std::upper_bound(v.begin(), v.end(), 3)
  return r.begin() + *first + least + static_cast<int>(at) + *place;
}
