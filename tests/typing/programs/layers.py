from torch import nn

reveal_type(nn.Linear(3, 4))
reveal_type(nn.Conv2d(3, 8, kernel_size=3, padding=1, bias=False).weight)
reveal_type(nn.BatchNorm2d(8).running_mean)
reveal_type(nn.Linear(3, 4).in_features)
reveal_type(nn.Dropout(0.5).p)
nn.Conv2d(3, 8, (3, 3), stride=2, padding="same")
nn.LSTM(10, 20, num_layers=2, batch_first=True)
nn.Embedding(100, 16, padding_idx=0)
nn.TransformerEncoderLayer(d_model=16, nhead=4, batch_first=True)
nn.LayerNorm([3, 4])
nn.Linear(3, "4")  # an error
nn.Linear(3)  # an error
nn.Conv2d(3, 8)  # an error
nn.Conv2d("3", 8, 3)  # an error
nn.Dropout("0.5")  # an error
nn.LayerNorm("8")  # an error
nn.Embedding(10, 3, padding=0)  # an error
nn.MaxPool2d(2, stride="2")  # an error
nn.MultiheadAttention(16, 4, dropout="0")  # an error
